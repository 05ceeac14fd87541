import { consoleRoute } from './pages/console.ts'; // @extension console
import { docsRoute } from './pages/docs.ts'; // @extension docs
import { openApiRoute } from './pages/openapi.ts';

/** The routes that return a file. API Gateway's own responses link to the last one as the description of the API. */
export const pageRoutes = [
  consoleRoute, // @extension console
  openApiRoute,
  docsRoute, // @extension docs
] as const;

export type PageName = (typeof pageRoutes)[number]['name'];

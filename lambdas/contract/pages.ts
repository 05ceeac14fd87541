import { consoleRoute } from './pages/console.ts'; // @extension console
import { docsRoute } from './pages/docs.ts'; // @extension docs
import { openApiRoute } from './pages/openapi.ts';

/** Each returns a file. The last one describes the API best to people. */
export const pageRoutes = [
  consoleRoute, // @extension console
  openApiRoute,
  docsRoute, // @extension docs
] as const;

export type PageName = (typeof pageRoutes)[number]['name'];

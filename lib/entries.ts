import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { routes } from '../lambdas/contract/routes.ts';

/** The modules that export a handler, relative to `lambdas/`. */
export const entries = [
  ...routes.map(({ entry }) => entry),
  'api/fallback.ts',
  ...readdirSync(join(import.meta.dirname, '../lambdas/jobs'))
    .filter((file) => file.endsWith('.ts'))
    .map((file) => `jobs/${file}`),
];

import { readdirSync } from 'node:fs';
import type { PageName } from '../../lambdas/contract/pages.ts';
import type { OperationDescription } from '../types.ts';

/** Each file of the folder exports a description with the name of its operation. */
const modules: object[] = await Promise.all(
  readdirSync(`${import.meta.dirname}/pages`).map((file) => import(`./pages/${file}`)),
);

export const pageOperations: Readonly<Record<PageName, OperationDescription>> = Object.assign({}, ...modules);

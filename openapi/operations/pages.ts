import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { PageName } from '../../lambdas/contract/pages.ts';
import type { OperationDescription } from '../types.ts';

const folder = join(import.meta.dirname, 'pages');

/** Each file of the folder exports a description with the name of its operation. */
const modules: object[] = await Promise.all(readdirSync(folder).map((file) => import(join(folder, file))));

export const pageOperations: Readonly<Record<PageName, OperationDescription>> = Object.assign({}, ...modules);

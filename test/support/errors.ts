import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

type ErrorClass = new (...parameters: never[]) => Error;

const domain = join(import.meta.dirname, '../../lambdas/domain');

const files = readdirSync(domain, { recursive: true, encoding: 'utf8' }).filter((name) =>
  name.endsWith('.ts'),
);

const modules: object[] = await Promise.all(
  files.map((name) => import(pathToFileURL(join(domain, name)).href)),
);

const isErrorClass = (value: unknown): value is ErrorClass =>
  typeof value === 'function' && value.prototype instanceof Error;

/** The classes of all errors that a caller of the domain can react to, by name. */
export const errorClasses: Readonly<Record<string, ErrorClass>> = Object.fromEntries(
  modules.flatMap((module) => Object.entries(module)).filter(([, value]) => isErrorClass(value)),
);

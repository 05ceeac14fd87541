import { readFileSync } from 'node:fs';
import { type ResolveFnOutput, registerHooks, stripTypeScriptTypes } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { limitImport } from './limits.ts';
import './restore.ts';

/**
 * Gives each test file its own instances of the project's modules, and restores spies and environment variables after it. So no
 * test sees what another file has changed. Packages are loaded once per worker: loading them takes longer than most tests.
 *
 * The runner imports a test file with a new query in its URL. The hooks add the query to each module of the project that the file
 * imports, directly or not.
 */

const project = `${pathToFileURL(join(import.meta.dirname, '../..')).href}/`;
const packages = `${project}node_modules/`;
// All test files share these modules.
const restore = new URL('restore.ts', import.meta.url).href;
const limits = new URL('limits.ts', import.meta.url).href;
const isOfProject = (url: string) => url.startsWith(project) && !url.startsWith(packages);
const sources = new Map<string, string>();

/** Kept, because resolving a specifier takes about as long as compiling the module. */
const resolutions = new Map<string, ResolveFnOutput>();

registerHooks({
  resolve(specifier, context, nextResolve) {
    const [, parent, query] = /^(.*\.ts)(\?\d+)$/.exec(context.parentURL ?? '') ?? [];
    if (!parent) return nextResolve(specifier, context);
    const key = `${parent} ${specifier}`;
    const resolved = resolutions.get(key) ?? nextResolve(specifier, context);
    resolutions.set(key, resolved);
    const { url } = resolved;
    const isOwn = isOfProject(url) && url.endsWith('.ts') && url !== restore && url !== limits;
    return { ...resolved, url: isOwn ? url + query : url, shortCircuit: true };
  },
  load(url, context, nextLoad) {
    if (!isOfProject(url) || !/\.ts\?\d+$/.test(url)) return nextLoad(url, context);
    const file = fileURLToPath(url);
    if (file.endsWith('.test.ts')) limitImport(file);
    const source = sources.get(file) ?? sourceOf(file);
    sources.set(file, source);
    return { format: 'module', source, shortCircuit: true };
  },
});

function sourceOf(file: string): string {
  const source = stripTypeScriptTypes(readFileSync(file, 'utf8'));
  if (!file.endsWith('.test.ts')) return source;
  // The file can declare any name.
  return `${source}
afterAll((await import(${JSON.stringify(restore)})).restore);
(await import(${JSON.stringify(limits)})).limitTests();
`;
}

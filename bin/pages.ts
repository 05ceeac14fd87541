import type { FilesOfEntries } from '../lib/bundles.ts';
import { openApiDocument } from '../openapi/document.ts';
import { filesOfPages } from './linked-pages.ts'; // @extension console|docs

/** Returns the files that functions serve, by entry point. */
export async function pages(): Promise<FilesOfEntries> {
  const document = openApiDocument();
  return new Map([
    ...(await filesOfPages(document)), // @extension console|docs
    ['api/openapi.ts', { 'openapi.json': `${JSON.stringify(document)}\n` }],
  ]);
}

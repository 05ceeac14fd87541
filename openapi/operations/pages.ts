import manifest from '../../package.json' with { type: 'json' };
import { always, header } from '../headers.ts';
import { ifNoneMatch } from '../parameters.ts';
import { htmlPage } from '../schemas.ts';
import type { MediaType, OperationDescription } from '../types.ts';

/** Describes an operation that returns one of the service's files. */
function file(description: string, mediaType: string, content: MediaType): OperationDescription {
  const headers = {
    'Cache-Control': always(
      '`max-age` is how long caches may store the response, in seconds. `stale-while-revalidate` is how much longer they may return it while they request the current version.',
      'public, max-age=60, stale-while-revalidate=600',
      { pattern: '^public, max-age=[0-9]+, stale-while-revalidate=[0-9]+$' },
    ),
    'Content-Security-Policy': header('Content-Security-Policy'),
    ETag: header('WeakETag'),
    'Referrer-Policy': header('Referrer-Policy'),
    Vary: header('Vary'),
  };
  return {
    tag: 'About the service',
    description,
    parameters: ifNoneMatch,
    responses: {
      200: { description: 'The current version.', headers, content: { [mediaType]: content } },
    },
  };
}

const page = (title: string) =>
  htmlPage(`<!doctype html>\n<html lang="en">\n<head>\n<title>${title}</title>\n</head>\n</html>\n`);

const openApi: MediaType = {
  schema: {
    type: 'object',
    required: ['openapi', 'info', 'paths', 'components'],
    properties: {
      openapi: { type: 'string', const: '3.1.1', description: 'The version of OpenAPI.' },
      info: { type: 'object', description: 'The title, the version and the introduction.' },
      paths: { type: 'object', description: 'The operations, by path and method.' },
      components: {
        type: 'object',
        description: 'The schemas, header fields and responses that operations share.',
      },
    },
  },
  examples: {
    document: {
      summary: 'An outline of the document',
      value: {
        openapi: '3.1.1',
        info: { title: 'Dog service', version: manifest.version },
        paths: {},
        components: {},
      },
    },
  },
};

export const pageOperations = {
  GetConsole: file(
    'Returns the console, a web page for managing dogs and making them bark. The page calls this service with the credentials that you enter.',
    'text/html',
    page('Dog service'),
  ),
  GetOpenApi: file(
    'Returns the API description for programs, in the OpenAPI 3.1 format.',
    'application/json',
    openApi,
  ),
  GetDocs: file(
    'Returns the API description for people: the guides and this reference as a web page.',
    'text/html',
    page('Dog service: documentation'),
  ),
} satisfies Record<string, OperationDescription>;

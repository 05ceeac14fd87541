import { cacheControl, header } from '../headers.ts';
import { answer } from '../responses.ts';
import type { Described, Schema } from '../types.ts';

/** Returns the description of a page that is a file in the bundle of its function. */
function page(description: string, mediaType: string, schema: Schema): Described {
  return {
    description,
    responses: {
      200: answer('The page', {
        headers: {
          'Cache-Control': cacheControl('^public, max-age=[0-9]+$', 'How long it may be kept'),
          'Content-Security-Policy': header('Content-Security-Policy'),
          'Referrer-Policy': header('Referrer-Policy'),
          Vary: header('Vary'),
        },
        content: { [mediaType]: { schema } },
      }),
    },
  };
}

const html = { type: 'string', pattern: '^<!doctype html>' };

export const pageOperations = {
  GetConsole: page('It calls this service with the credentials that are typed into it.', 'text/html', html),
  GetOpenApi: page('This document.', 'application/json', {
    type: 'object',
    required: ['openapi', 'info', 'paths', 'components'],
    properties: {
      openapi: { const: '3.1.1' },
      info: { type: 'object' },
      paths: { type: 'object' },
      components: { type: 'object' },
    },
  }),
  GetDocs: page('This document, as a page.', 'text/html', html),
} satisfies Record<string, Described>;

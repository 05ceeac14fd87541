import { always, header } from '../headers.ts';
import { ifNoneMatch } from '../parameters.ts';
import type { MediaType, OperationDescription } from '../types.ts';

/** Describes an operation that returns one of the service's files. */
export function file(description: string, mediaType: string, content: MediaType): OperationDescription {
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

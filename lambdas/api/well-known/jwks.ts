import { preparation } from '../../domain/platform/prepare.ts';
import { keysMaxAgeSeconds, readPublishedKeys } from '../../domain/tokens/published-keys.ts';
import { endpoint } from '../../http/endpoint.ts';

export const handler = endpoint(async (request) => ({
  status: 200,
  headers: {
    'Cache-Control': `public, max-age=${keysMaxAgeSeconds}`,
    'Content-Type': 'application/jwk-set+json',
  },
  body: { keys: await readPublishedKeys(request.context) },
}));

export const prepare = preparation(readPublishedKeys);

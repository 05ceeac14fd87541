import type { Request } from '../../lambdas/http/request.ts';

/** Returns a request with this Prefer header. */
export function requestWith(prefer: string | undefined): Request {
  return {
    baseUrl: 'https://dogs.example.com',
    header: (name: string) => (name === 'Prefer' ? prefer : undefined),
  } as unknown as Request;
}

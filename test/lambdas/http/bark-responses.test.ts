import { accepted, notPerformed } from '../../../lambdas/http/bark-responses.ts';
import type { Request } from '../../../lambdas/http/request.ts';

function requestWith(prefer: string): Request {
  return {
    baseUrl: 'https://dogs.example.com',
    header: (name: string) => (name === 'Prefer' ? prefer : undefined),
  } as unknown as Request;
}

describe('accepted', () => {
  test.each([
    ['respond-async', 'respond-async'],
    ['wait=3, respond-async', 'respond-async, wait=3'],
    ['note="x, respond-async, y"', undefined],
  ])('has for Prefer: %s the Preference-Applied %s', (prefer, applied) => {
    expect(accepted(requestWith(prefer), '/barks/1').headers?.['Preference-Applied']).toBe(applied);
  });
});

describe('notPerformed', () => {
  test('returns 200 with the bark and its URL', () => {
    const bark = {
      id: 'a01M7XTJQRGHZ3MM2X05VM3ARQN',
      dog: 'rex',
      timestamp: null,
      status: 'cancelled',
      seeDog: false,
    } as const;
    expect(notPerformed(requestWith('respond-async, wait=10'), bark)).toEqual({
      status: 200,
      headers: {
        'Preference-Applied': 'respond-async, wait=10',
        'Content-Location': `https://dogs.example.com/v1/dogs/rex/barks/${bark.id}`,
      },
      body: {
        id: bark.id,
        dog: 'https://dogs.example.com/v1/dogs/rex/',
        timestamp: null,
        status: 'cancelled',
      },
    });
  });
});

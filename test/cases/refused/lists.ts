import type { CaseGroup, Refusal } from './case.ts';

const invalidLimit: Refusal = {
  status: 400,
  problem: 'invalid-limit',
  detail: 'The query parameter "limit" must be a whole number from 1 to 100.',
};

const invalidCursor: Refusal = {
  status: 400,
  problem: 'invalid-cursor',
  detail:
    'The query parameter "after" is not a cursor from this list. Use the URL in the Link header with rel="next".',
};

const limits = ['', '0', '01', '101', '1e1', 'ten', '٣', '%&after=%zz&%00=%'];

const cursors = {
  dogs: ['', 'a.b', 'a%20b', 'x'.repeat(41), '%22', '%0d%0aX-Injected:%20yes'],
  barks: [
    '',
    'x',
    'b%231',
    '01ARZ3NDEKTSV4RRFFQ69G5FAV',
    '01ARZ3NDEKTSV4RRFFQ69G5FAV.AAAAAAAAAAAAAAAA',
    '%0d%0aX-Injected:%20yes',
  ],
};

function pagesOf(path: string, after: readonly string[]): CaseGroup {
  return {
    title: `GET ${path}`,
    dogs: ['new'],
    cases: [
      ...limits.map((limit) => ({
        name: `limit=${limit.slice(0, 40)}`,
        request: `GET ${path}?limit=${limit}`,
        ...invalidLimit,
      })),
      ...after.map((cursor) => ({
        name: `after=${cursor}`,
        request: `GET ${path}?after=${cursor}`,
        ...invalidCursor,
      })),
      { request: `HEAD ${path}?limit=0`, status: 400 },
    ],
  };
}

export const refusedPages = [pagesOf('/v1/dogs/', cursors.dogs), pagesOf('{dog}barks', cursors.barks)];

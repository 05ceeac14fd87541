import { requestOf } from '../../../lambdas/http/request.ts';
import { sampleEvent } from '../../support/invoke.ts';

const call = { now: Date.UTC(2026, 10, 21, 12), signal: AbortSignal.timeout(1_000) };

function requestWith(multiValueHeaders: Record<string, string[]>) {
  return requestOf({ ...sampleEvent('PostBarks'), multiValueHeaders }, undefined, call);
}

test('A header field is found whatever the case of its name; one that was not sent is none', () => {
  const request = requestWith({ 'If-Match': ['"x"'] });
  expect(['if-match', 'IF-MATCH', 'If-None-Match'].map(request.header)).toEqual(['"x"', '"x"', undefined]);
});

test('Several lines of a header field are one, also where the case of their names differs', () => {
  expect(requestWith({ Prefer: ['a', 'b'], prefer: ['c'] }).header('Prefer')).toBe('a, b, c');
});

test('An empty header field is there', () => {
  expect(requestWith({ Prefer: [''] }).header('Prefer')).toBe('');
});

test('A request tells who is calling, as the authorizer found out', () => {
  expect(requestWith({}).user).toBe('dog-lover');
  expect(requestOf(sampleEvent('IssueToken'), undefined, call).user).toBe('');
});

import {
  claimMail,
  countEntry,
  endMailClaim,
  type HistoryEntry,
} from '../../../../lambdas/domain/barks/history-entry.ts';
import { at, newContext } from '../../../support/context.ts';

process.env.BARKS_TABLE = 'barks';
process.env.DOGS_TABLE = 'dogs';

const entry: HistoryEntry = {
  dog: 'rex',
  sk: 's#01KAK0XW00ABCDEFGHJKMNPQRS',
  incarnation: 'now',
  timestamp: at,
  claim: 'run',
  claimEnds: at + 20,
  delivery: 'event',
};

describe.each([
  ['claimMail', claimMail(entry), 'mail = :from', 'inProgress'],
  ['endMailClaim', endMailClaim(entry, 'sent'), 'mail = :from AND claim = :claim', 'sent'],
] as const)('%s', (_, part, ConditionExpression, to) => {
  test('changes only the mail that it was given, and refuses because of any other state', () => {
    const { input } = part.single?.command ?? {};
    expect(input).toMatchObject({ ConditionExpression, Key: { dog: entry.dog, sk: entry.sk } });
    expect(part.actions).toEqual([{ Update: input }]);
    expect(part.judge([])).toEqual({ refusal: 'other state' });
  });

  test.each<[string, object | undefined, boolean]>([
    ['with its state and its claim', { mail: to, claim: 'run' }, true],
    ['with its state and another claim', { mail: to, claim: 'other' }, false],
    ['with another state and its claim', { mail: 'failed', claim: 'run' }, false],
    ['that does not exist', undefined, false],
  ])('has been written before only if it fails because of an entry %s', (_, stored, isOwn) => {
    expect(part.single?.isOwn(stored as never)).toBe(isOwn);
  });
});

test('countEntry changes only the dog of the entry', () => {
  const { actions, judge } = countEntry(entry, true, newContext());
  expect(actions[0]?.Update?.ConditionExpression).toContain('incarnation = :incarnation');
  expect(actions[0]?.Update?.ExpressionAttributeValues).toMatchObject({ ':incarnation': 'now' });
  expect(judge([undefined])).toEqual({ refusal: 'dog gone' });
});

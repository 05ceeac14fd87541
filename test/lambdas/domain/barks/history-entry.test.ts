import {
  claimMail,
  countEntry,
  endMailClaim,
  type HistoryEntry,
  mailStateOf,
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
const key = { TableName: 'barks', Key: { dog: entry.dog, sk: entry.sk } };

test.each<[HistoryEntry['mail'], number | undefined, ReturnType<typeof mailStateOf>]>([
  ['inProgress', at + 1, 'being sent'],
  ['inProgress', at, 'unknown'],
  ['inProgress', undefined, 'unknown'],
  ['retry', at + 1, 'not sent'],
  ['sent', at + 1, 'sent'],
  [undefined, undefined, undefined],
])('Mail with the stored state %s and a lease until %s is %s', (mail, claimEnds, state) => {
  expect(mailStateOf({ ...entry, mail, claimEnds } as HistoryEntry, newContext())).toBe(state);
});

describe.each([
  [
    'claimMail',
    claimMail(entry),
    {
      ...key,
      UpdateExpression: 'SET mail = :to, claim = :claim, claimEnds = :claimEnds, delivery = :delivery',
      ConditionExpression: 'mail = :from',
      ExpressionAttributeValues: {
        ':from': 'retry',
        ':to': 'inProgress',
        ':claim': 'run',
        ':claimEnds': at + 20,
        ':delivery': 'event',
      },
      ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
    },
    'inProgress',
  ],
  [
    'endMailClaim',
    endMailClaim(entry, 'sent'),
    {
      ...key,
      UpdateExpression: 'SET mail = :to',
      ConditionExpression: 'mail = :from AND claim = :claim',
      ExpressionAttributeValues: { ':from': 'inProgress', ':to': 'sent', ':claim': 'run' },
      ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
    },
    'sent',
  ],
] as const)('%s', (_, part, update, to) => {
  test('changes the mail of the entry that it was given', () => {
    expect(part.actions).toEqual([{ Update: update }]);
    expect(part.single?.command.input).toEqual(update);
  });

  test.each<[string, object | undefined, boolean]>([
    ['with its state and its claim', { mail: to, claim: 'run' }, true],
    ['with its state and another claim', { mail: to, claim: 'other' }, false],
    ['with another state and its claim', { mail: 'failed', claim: 'run' }, false],
    ['that does not exist', undefined, false],
  ])('has been written before only if it fails because of an entry %s', (_, stored, isOwn) => {
    expect(part.single?.isOwn(stored as never)).toBe(isOwn);
  });

  test('refuses because of any other state', () => {
    expect(part.judge([])).toEqual({ refusal: 'other state' });
  });
});

test.each([true, false])('countEntry changes only the dog of the entry if counted is %s', (counted) => {
  const { actions, judge } = countEntry(entry, counted, newContext());
  expect(actions).toMatchObject([{ Update: { TableName: 'dogs', Key: { id: 'rex' } } }]);
  const { ConditionExpression, ExpressionAttributeValues } = actions[0]?.Update ?? {};
  expect(ConditionExpression).toContain('incarnation = :incarnation');
  expect(ExpressionAttributeValues).toMatchObject({ ':incarnation': 'now', ':counted': Number(counted) });
  expect(judge([undefined])).toEqual({ refusal: 'dog gone' });
});

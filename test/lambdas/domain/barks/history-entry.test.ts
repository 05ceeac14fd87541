import { claimMail, settleMail } from '../../../../lambdas/domain/barks/history-entry.ts';
import { at } from '../../../support/context.ts';

process.env.BARKS_TABLE = 'barks';

const entry = {
  dog: 'rex',
  sk: 's#01KAK0XW00ABCDEFGHJKMNPQRS',
  incarnation: 'now',
  timestamp: at,
  mail: 'inProgress',
  claim: 'run',
  claimEnds: at + 20,
  delivery: 'event',
} as const;

const released = { ...entry, mail: 'retry' };

describe.each([
  ['claimMail', claimMail(entry), 'mail = :from', { refusal: released }, entry],
  [
    'settleMail',
    settleMail(entry, 'sent'),
    'mail = :from AND claim = :claim',
    'written',
    { mail: 'sent', claim: 'run' },
  ],
] as const)('%s', (_, part, ConditionExpression, verdict, own) => {
  test('changes only the mail that it was given', () => {
    const { input } = part.single?.command ?? {};
    expect(input).toMatchObject({ ConditionExpression, Key: { dog: entry.dog, sk: entry.sk } });
    expect(part.actions).toEqual([{ Update: input }]);
    expect(part.judge([{ item: released, wasRetried: false }])).toEqual(verdict);
  });

  test.each<[string, object | undefined, boolean]>([
    ['with its state and its claim', own, true],
    ['with its state and another claim', { ...own, claim: 'other' }, false],
    ['with another state and its claim', { ...own, mail: 'failed' }, false],
    ['that does not exist', undefined, false],
  ])('has been written before only if it fails because of an entry %s', (_, stored, isOwn) => {
    expect(part.single?.isOwn(stored as never)).toBe(isOwn);
  });
});

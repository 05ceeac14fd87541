import {
  type AsyncBark,
  barkOfAsync,
  claimBark,
  endBark,
  releaseBark,
} from '../../../../lambdas/domain/barks/async-bark.ts';
import { reasons } from '../../../../lambdas/domain/barks/bark.ts';
import { at, newContext } from '../../../support/context.ts';

process.env.BARKS_TABLE = 'barks';

const ulid = '01KAK0XW00ABCDEFGHJKMNPQRS';
const bark: AsyncBark = {
  dog: 'rex',
  sk: `a#${ulid}`,
  incarnation: 'now',
  status: 'pending',
  effects: ['record'],
  deadline: at + 900,
  expires: at + 1800,
};
const claimed: AsyncBark = { ...bark, status: 'inProgress', claim: 'run' };

test.each<[string, AsyncBark, number, object]>([
  ['pending', bark, 899, { status: 'pending' }],
  ['pending at its deadline', bark, 900, { status: 'failed', reason: reasons.notInTime }],
  [
    'in progress at its deadline',
    claimed,
    900,
    { status: 'failed', reason: `${reasons.notInTime} ${reasons.mailUnknown}` },
  ],
  ['cancelled', { ...bark, status: 'cancelled' }, 999, { status: 'cancelled' }],
])('barkOfAsync shows a bark that is %s', (_, item, after, shown) => {
  const open = { id: `a${ulid}`, dog: 'rex', timestamp: null, seeDog: false };
  expect(barkOfAsync(item, newContext({ after }))).toStrictEqual({ ...open, ...shown });
});

/** Returns the update of the bark. @param values the values of the condition and of the changed attributes */
function updateOf(UpdateExpression: string, ConditionExpression: string, names: string[], values: object) {
  return {
    TableName: 'barks',
    Key: { dog: 'rex', sk: `a#${ulid}` },
    UpdateExpression,
    ConditionExpression,
    ExpressionAttributeNames: Object.fromEntries(names.map((name) => [`#${name}`, name])),
    ExpressionAttributeValues: values,
    ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
  };
}
const isPending = '#status = :isPending AND deadline > :now';
const pendingValues = { ':isPending': 'pending', ':now': at };
const isClaimed = '#status = :isInProgress AND claim = :claimedBy';
const claimedValues = { ':isInProgress': 'inProgress', ':claimedBy': 'run' };

describe('claimBark and releaseBark', () => {
  const run = { claim: 'run', claimEnds: at + 60 };
  const set = 'SET #status = :status, #claim = :claim';
  const names = ['status', 'claim', 'claimEnds'];
  const claim = { ':status': 'inProgress', ':claim': 'run', ':claimEnds': at + 60 };

  test.each([
    [
      'a bark that no run has claimed',
      claimBark(bark, run, newContext()),
      updateOf(`${set}, #claimEnds = :claimEnds`, `${isPending} AND attribute_not_exists(claim)`, names, {
        ...pendingValues,
        ...claim,
      }),
    ],
    [
      'a bark of which a run has released its claim',
      claimBark({ ...bark, claim: 'last' }, run, newContext()),
      updateOf(`${set}, #claimEnds = :claimEnds`, `${isPending} AND claim = :lastClaim`, names, {
        ...pendingValues,
        ':lastClaim': 'last',
        ...claim,
      }),
    ],
    [
      'a claimed bark',
      releaseBark(claimed, run),
      updateOf(`${set} REMOVE #claimEnds`, isClaimed, names, {
        ...claimedValues,
        ':status': 'pending',
        ':claim': 'run',
      }),
    ],
  ])('change %s in one write', (_, part, update) => {
    expect(part.actions).toStrictEqual([{ Update: update }]);
    expect(part.single?.command.input).toStrictEqual(update);
  });

  test('let only a claim be refused, with the stored bark', () => {
    const failure = { item: { ...claimed }, wasRetried: false };
    expect(claimBark(bark, run, newContext()).judge([failure])).toEqual({ refusal: claimed });
    expect(releaseBark(claimed, run).judge([failure])).toBe('written');
  });

  test.each<[boolean, string, object | undefined]>([
    [true, 'the claim', { ...claimed, ...run }],
    [false, 'the claim of another run', { ...claimed, ...run, claim: 'other' }],
    [false, 'another status', { ...claimed, ...run, status: 'pending' }],
    [false, 'no item', undefined],
  ])('return %p for isOwn of %s', (isOwn, _, stored) => {
    const { single } = claimBark(bark, run, newContext());
    expect(single?.isOwn(stored as Record<string, unknown> | undefined)).toBe(isOwn);
  });
});

test('endBark ends a claimed bark, deletes its marker, and removes the attributes that are undefined', () => {
  const changes = { status: 'complete', message: undefined, expires: undefined } as unknown as AsyncBark;
  const part = endBark(claimed, { claimedBy: 'run' }, changes, newContext());
  const set = 'SET #status = :status REMOVE #message, #expires';
  const values = { ...claimedValues, ':status': 'complete' };
  const update = updateOf(set, isClaimed, ['status', 'message', 'expires'], values);
  const marker = { TableName: 'barks', Key: { dog: 'rex', sk: `d#${at + 900}#${ulid}` } };
  expect(part.actions).toStrictEqual([{ Update: update }, { Delete: marker }]);
  expect(part.judge([undefined])).toEqual({ refusal: undefined });
});

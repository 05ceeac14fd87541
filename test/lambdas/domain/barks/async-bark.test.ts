import {
  type AsyncBark,
  addAsyncBark,
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
const markerKey = { dog: 'rex', sk: `d#${at + 900}#${ulid}` };

describe('barkOfAsync', () => {
  const unknown = `${reasons.notInTime} ${reasons.mailUnknown}`;
  const open = { timestamp: null, seeDog: false };

  test.each<[string, Partial<AsyncBark>, number, object]>([
    ['a pending bark', {}, 899, { ...open, status: 'pending' }],
    ['a bark in progress', { status: 'inProgress' }, 899, { ...open, status: 'pending' }],
    ['a pending bark at its deadline', {}, 900, { ...open, status: 'failed', reason: reasons.notInTime }],
    [
      'a bark in progress at its deadline',
      { status: 'inProgress' },
      900,
      { ...open, status: 'failed', reason: unknown },
    ],
    [
      'a complete bark that is counted',
      { status: 'complete', timestamp: at },
      0,
      { timestamp: at, seeDog: true, status: 'complete' },
    ],
    [
      'a complete bark that only sent mail',
      { status: 'complete', timestamp: at, effects: ['emailDog'] },
      0,
      { timestamp: at, seeDog: false, status: 'complete' },
    ],
    ['a failed bark', { status: 'failed', reason: 'Why.' }, 0, { ...open, status: 'failed', reason: 'Why.' }],
    ['a cancelled bark', { status: 'cancelled' }, 999, { ...open, status: 'cancelled' }],
  ])('shows %s', (_, changes, after, shown) => {
    expect(barkOfAsync({ ...bark, ...changes }, newContext({ after }))).toStrictEqual({
      id: `a${ulid}`,
      dog: 'rex',
      ...shown,
    });
  });
});

test('addAsyncBark writes the bark and its marker, of which an earlier attempt may have written both', () => {
  const part = addAsyncBark(bark);
  const put = (Item: object) => ({
    Put: { TableName: 'barks', Item, ConditionExpression: 'attribute_not_exists(sk)' },
  });
  const marker = { ...markerKey, incarnation: 'now', expires: at + 900 };
  expect(part.actions).toStrictEqual([put(bark), put(marker)]);
  expect(part.judge([])).toBe('written');
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
  const set = 'SET #status = :status, #claim = :claim';
  const names = ['status', 'claim', 'claimEnds'];
  const claim = { ':status': 'inProgress', ':claim': 'run', ':claimEnds': at + 60 };

  test.each([
    [
      'a bark that no run has claimed',
      claimBark(bark, 'run', newContext()),
      updateOf(`${set}, #claimEnds = :claimEnds`, `${isPending} AND attribute_not_exists(claim)`, names, {
        ...pendingValues,
        ...claim,
      }),
    ],
    [
      'a bark of which a run has released its claim',
      claimBark({ ...bark, claim: 'last' }, 'run', newContext()),
      updateOf(`${set}, #claimEnds = :claimEnds`, `${isPending} AND claim = :lastClaim`, names, {
        ...pendingValues,
        ':lastClaim': 'last',
        ...claim,
      }),
    ],
    [
      'a claimed bark',
      releaseBark(claimed, 'run'),
      updateOf(`${set} REMOVE #claimEnds`, isClaimed, names, {
        ...claimedValues,
        ':status': 'pending',
        ':claim': 'run',
      }),
    ],
  ])('change %s in one write', (_, part, update) => {
    expect(part.actions).toStrictEqual([{ Update: update }]);
    expect(part.single?.command.input).toStrictEqual(update);
    const failure = { item: { ...bark }, wasRetried: false };
    expect(part.judge([failure])).toEqual({ refusal: bark });
    expect(part.judge([undefined])).toEqual({ refusal: undefined });
  });

  test.each<[boolean, string, object | undefined]>([
    [true, 'the claim', claimed],
    [false, 'the claim of another run', { ...claimed, claim: 'other' }],
    [false, 'another status', { ...claimed, status: 'pending' }],
    [false, 'no item', undefined],
  ])('return %p for isOwn of %s', (isOwn, _, stored) => {
    const { single } = claimBark(bark, 'run', newContext());
    expect(single?.isOwn(stored as Record<string, unknown> | undefined)).toBe(isOwn);
  });
});

describe('endBark', () => {
  const marker = { Delete: { TableName: 'barks', Key: markerKey } };

  test('ends a pending bark before its deadline, and deletes its marker', () => {
    const part = endBark(bark, 'pending', { status: 'failed', reason: 'Why.' }, newContext());
    const values = { ...pendingValues, ':status': 'failed', ':reason': 'Why.' };
    const set = 'SET #status = :status, #reason = :reason';
    const update = updateOf(set, isPending, ['status', 'reason'], values);
    expect(part.actions).toStrictEqual([{ Update: update }, marker]);
    expect(part.judge([{ item: { ...bark }, wasRetried: false }])).toEqual({ refusal: bark });
    expect(part.judge([undefined])).toEqual({ refusal: undefined });
  });

  test('ends a claimed bark, and removes the attributes that are undefined', () => {
    const changes = { status: 'complete', message: undefined, expires: undefined } as unknown as AsyncBark;
    const part = endBark(claimed, { claimedBy: 'run' }, changes, newContext());
    const set = 'SET #status = :status REMOVE #message, #expires';
    const values = { ...claimedValues, ':status': 'complete' };
    const update = updateOf(set, isClaimed, ['status', 'message', 'expires'], values);
    expect(part.actions).toStrictEqual([{ Update: update }, marker]);
  });
});

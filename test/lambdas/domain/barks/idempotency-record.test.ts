import { ConditionalCheckFailedException, InternalServerError } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient, PutCommand } from '@aws-sdk/lib-dynamodb';
import { marshall } from '@aws-sdk/util-dynamodb';
import type { BarkOutcome, BarkRequest } from '../../../../lambdas/domain/barks/bark.ts';
import {
  answerOf,
  claimRequest,
  completeRecord,
  deleteClaim,
  endClaim,
  idempotencyRecordOf,
  KeyReused,
} from '../../../../lambdas/domain/barks/idempotency-record.ts';
import type { Dog } from '../../../../lambdas/domain/dogs/dog.ts';
import { Unavailable } from '../../../../lambdas/domain/platform/errors.ts';
import { at, newContext } from '../../../support/context.ts';
import { mockClient } from '../../../support/mock-client.ts';

const dynamodb = mockClient(DynamoDBDocumentClient);
process.env.BARKS_TABLE = 'barks';
beforeEach(() => dynamodb.reset());

const day = 24 * 60 * 60;
const dog = { id: 'rex', incarnation: 'now' } as Dog;
const key = { user: 'jane', resource: 'barks', value: 'sesame' } as const;
const request: BarkRequest = { key, message: 'A secret' };

describe('idempotencyRecordOf', () => {
  const recordOf = (changes: BarkRequest = {}, of = dog) =>
    idempotencyRecordOf(of, { ...request, ...changes });

  test('returns nothing without a key', () => {
    expect(idempotencyRecordOf(dog, { message: 'A secret' })).toBeUndefined();
  });

  test('contains nothing that the client sent', () => {
    const digest = expect.stringMatching(/^[\w-]{43}$/);
    expect(recordOf()).toEqual({
      dog: 'rex',
      sk: expect.stringMatching(/^k#[\w-]{43}$/),
      incarnation: 'now',
      payloadHash: digest,
      claim: expect.stringMatching(/^[\da-f-]{36}$/),
    });
    expect(JSON.stringify(recordOf())).not.toMatch(/secret|sesame|jane/);
    expect(recordOf()?.claim).not.toBe(recordOf()?.claim);
  });

  test.each<[string, BarkRequest, Dog?]>([
    ['user', { key: { ...key, user: 'joe' } }],
    ['resource', { key: { ...key, resource: 'bark' } }],
    ['spelling of the key', { key: { ...key, value: 'Sesame' } }],
    ['incarnation of the dog', {}, { ...dog, incarnation: 'later' }],
  ])('has another sort key for another %s', (_, ...changes) => {
    expect(recordOf(...changes)?.sk).not.toBe(recordOf()?.sk);
  });

  test('has the same hash only for the same payload and the same key', () => {
    const { sk, payloadHash } = recordOf({ isAsync: false }) ?? {};
    expect(recordOf()).toMatchObject({ sk, payloadHash });
    for (const other of [{ message: 'Woof' }, { message: undefined }, { isAsync: true }])
      expect([recordOf(other)?.sk, recordOf(other)?.payloadHash === payloadHash]).toEqual([sk, false]);
    expect(recordOf({ key: { ...key, value: 'another' } })?.payloadHash).not.toBe(payloadHash);
  });
});

const record = { dog: 'rex', sk: 'k#1', incarnation: 'now', payloadHash: 'hash', claim: 'own' };
const outcome: BarkOutcome = { kind: 'counted', timestamp: at };
const otherClaim = { ...record, claim: 'other' };

describe('The write of a record', () => {
  const unused = 'attribute_not_exists(sk) OR expires <= :now';
  const own = 'claim = :claim AND claimEnds > :ended';
  const ownValues = { ':claim': 'own', ':ended': 0 };
  const check = (ConditionExpression: string, ExpressionAttributeValues: object) => ({
    ConditionExpression,
    ExpressionAttributeValues,
    ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
  });
  const put = (state: object) => ({ TableName: 'barks', Item: { expires: at + day, ...record, ...state } });
  const failureOf = (item?: object) => [{ item: item as Record<string, unknown>, wasRetried: false }];
  const taken = (stored: object | string) => ({ refusal: stored });
  const anotherRequest = { ...otherClaim, payloadHash: 'other' };

  test('completes an unused key or a record with the same claim', () => {
    const part = completeRecord(record, outcome, newContext());
    const condition = check(`${unused} OR (${own})`, { ':now': at, ...ownValues });
    expect(part.actions).toEqual([{ Put: { ...put({ outcome }), ...condition } }]);
    expect(part.judge(failureOf(otherClaim))).toEqual(taken(otherClaim));
    expect(part.judge(failureOf(anotherRequest))).toEqual(taken(new KeyReused()));
  });

  test('claims an unused key for a minute, and recognizes its own claim', () => {
    const part = claimRequest(record, newContext());
    const expected = { ...put({ claimEnds: at + 60 }), ...check(unused, { ':now': at }) };
    expect(part.actions).toEqual([{ Put: expected }]);
    expect(part.single?.command.input).toEqual(expected);
    expect([record, otherClaim, undefined].map((stored) => part.single?.isOwn(stored))).toEqual([
      true,
      false,
      false,
    ]);
    expect(part.judge(failureOf(record))).toBe('written');
    expect(part.judge(failureOf(otherClaim))).toEqual(taken(otherClaim));
    expect(part.judge(failureOf(anotherRequest))).toEqual(taken(new KeyReused()));
  });

  test('deletes only its own claim, and has nothing to delete otherwise', () => {
    const part = deleteClaim(record);
    const expected = { TableName: 'barks', Key: { dog: 'rex', sk: 'k#1' }, ...check(own, ownValues) };
    expect(part.actions).toEqual([{ Delete: expected }]);
    expect(part.single?.command.input).toEqual(expected);
    expect([part.single?.isOwn(undefined), part.judge([])]).toEqual([true, 'written']);
  });

  test('ends only its own claim, and keeps the expiry of a stored record', async () => {
    dynamodb.on(PutCommand).resolves({});
    const stored = { ...record, expires: at + 7 };
    await expect(endClaim(stored, new Error('cause'), newContext())).rejects.toMatchObject({
      name: 'MailUnknown',
      cause: { message: 'cause' },
    });
    const [call] = dynamodb.commandCalls(PutCommand);
    const item = { ...put({ claimEnds: 0 }), Item: { ...stored, claimEnds: 0 } };
    expect(call?.args[0].input).toEqual({ ...item, ...check(own, ownValues) });
  });
});

describe('endClaim', () => {
  const cause = new Unavailable('The database is unavailable.');
  const end = () => endClaim(record, cause, newContext({ milliseconds: 100 }));
  const fail = (item?: object) =>
    dynamodb.on(PutCommand).rejects(
      new ConditionalCheckFailedException({
        $metadata: {},
        message: '',
        ...(item && { Item: marshall(item) }),
      }),
    );

  test('returns the outcome if the request is completed after all', async () => {
    fail({ ...record, outcome });
    expect(await end()).toEqual(outcome);
  });

  test.each<[string, object | undefined, object]>([
    ['MailUnknown if an earlier attempt has ended the claim', { ...record, claimEnds: 0 }, { cause }],
    ['MailUnknown if the record was removed', undefined, { cause }],
    ['MailUnknown if its claim is stored', { ...record, claimEnds: at }, { cause }],
    [
      'RequestInProgress if another run has the claim',
      { ...otherClaim, claimEnds: at + 60 },
      { retryAfterSeconds: 1 },
    ],
    ['KeyReused if another request has the key', { ...otherClaim, payloadHash: 'other' }, {}],
  ])('throws %s', async (name, stored, error) => {
    fail(stored);
    await expect(end()).rejects.toMatchObject({ name: name.split(' ')[0], ...error });
  });

  test('throws the cause if DynamoDB is unavailable, and any other error of the write', async () => {
    dynamodb.on(PutCommand).rejects(new InternalServerError({ $metadata: {}, message: '' }));
    await expect(end()).rejects.toBe(cause);
    dynamodb.on(PutCommand).rejects(new Error('no permission'));
    await expect(end()).rejects.toThrow('no permission');
  });
});

describe('answerOf', () => {
  const repeat = (taken: object | string, after = 0) =>
    answerOf(taken as Parameters<typeof answerOf>[0], newContext({ after }));

  test('returns the outcome of a completed request', async () => {
    expect(await repeat({ ...record, outcome })).toEqual(outcome);
  });

  test('throws KeyReused if another request has the key', async () => {
    await expect(repeat(new KeyReused())).rejects.toMatchObject({ name: 'KeyReused' });
  });

  test.each([
    [0, 1],
    [1, 1],
    [10, 10],
    [35, 25],
    [59, 1],
  ])(
    'throws RequestInProgress %i s after the claim: the waiting time is %i s',
    async (after, retryAfterSeconds) => {
      await expect(repeat({ ...record, claimEnds: at + 60 }, after)).rejects.toMatchObject({
        name: 'RequestInProgress',
        retryAfterSeconds,
      });
    },
  );

  test.each([
    ['the lease has ended', { ...record, claimEnds: at + 60 }],
    ['the claim was ended', { ...record, claimEnds: 0 }],
    ['version 1.0.0 stored no claim', record],
  ])('throws MailUnknown if %s', async (_, stored) => {
    dynamodb.on(PutCommand).resolves({});
    await expect(repeat(stored, 60)).rejects.toMatchObject({ name: 'MailUnknown' });
  });
});

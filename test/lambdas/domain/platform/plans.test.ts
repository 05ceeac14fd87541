import { type CancellationReason, TransactionCanceledException } from '@aws-sdk/client-dynamodb';
import { CreateScheduleCommand, DeleteScheduleCommand, SchedulerClient } from '@aws-sdk/client-scheduler';
import { SFNClient, StartExecutionCommand } from '@aws-sdk/client-sfn';
import {
  BatchGetCommand,
  DynamoDBDocumentClient,
  GetCommand,
  TransactWriteCommand,
} from '@aws-sdk/lib-dynamodb';
import { marshall } from '@aws-sdk/util-dynamodb';
import { createGrant } from '../../../../lambdas/domain/access/grants.ts';
import { createBark } from '../../../../lambdas/domain/barks/create.ts';
import type { Dog, Effect } from '../../../../lambdas/domain/dogs/dog.ts';
import type { Action, Item } from '../../../../lambdas/domain/platform/commit.ts';
import { handler as performBark } from '../../../../lambdas/jobs/perform-bark.ts';
import { context as lambdaContext } from '../../../../tools/invocation.ts';
import { at, newContext, now } from '../../../support/context.ts';
import { barkEnvironment } from '../../../support/environment.ts';
import { setLimits } from '../../../support/limits.ts';
import { useLogs } from '../../../support/logs.ts';
import { mockClient } from '../../../support/mock-client.ts';
import { deliver, patch, post } from '../../../support/schedules.ts';

/** The order of the parts of each plan. Of the parts whose conditions fail, the first one decides what follows. */

const dynamodb = mockClient(DynamoDBDocumentClient);
const scheduler = mockClient(SchedulerClient);
const sfn = mockClient(SFNClient);
useLogs();

beforeAll(() => {
  Object.assign(process.env, {
    DOGS_TABLE: 'dogs',
    BARKS_TABLE: 'barks',
    ACCESS_TABLE: 'access',
    ...barkEnvironment,
  });
  setLimits({ barksPerDog: 1, mailsPerDog: 1 });
  jest.spyOn(Date, 'now').mockReturnValue(now);
});

beforeEach(() => {
  for (const client of [dynamodb, scheduler, sfn]) client.reset();
  sfn.on(StartExecutionCommand).resolves({});
  scheduler.on(CreateScheduleCommand).resolves({}).on(DeleteScheduleCommand).resolves({});
});

const schedule = { scheduleId: '01KAK0XW00ABCDEFGHJKMNPQRS', start: at - 600, frequency: 10 };
const bark = {
  dog: 'rex',
  sk: 'a#01KAK0XW00ABCDEFGHJKMNPQRS',
  incarnation: 'now',
  status: 'pending',
  effects: ['record'],
  deadline: at + 900,
};
const key = { user: 'jane', resource: 'barks', value: 'a key' } as const;

function dogThat(barkEffects: Effect[], more: Partial<Dog> = {}): Dog {
  return {
    id: 'rex',
    incarnation: 'now',
    version: 1,
    lastModified: at - 600,
    settingsVersion: 1,
    settingsModified: at - 600,
    settings: { email: 'rex@example.com', barkEffects, barkHandling: 'sync' },
    barkCount: 0,
    ...more,
  } as Dog;
}

/** Makes each read return a dog and, if it reads two items, the other item. */
function read(dog: Dog, other?: Item): void {
  dynamodb.on(GetCommand).resolves({ Item: dog });
  dynamodb.on(BatchGetCommand).resolves({ Responses: { dogs: [dog], barks: other ? [other] : [] } });
}

/** The parts that write to a table, by the prefix of the key. */
const parts: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  access: { c: 'client', g: 'grant', u: 'user' },
  barks: {
    a: 'bark',
    b: 'history entry',
    d: 'bark',
    k: 'idempotency record',
    l: 'usage',
    m: 'applied change',
    t: 'applied change',
  },
};

function partOf({ Put, Update, Delete, ConditionCheck }: Action): string {
  const changed = Update ?? Delete ?? ConditionCheck;
  const table = (Put ?? changed)?.TableName ?? '';
  const { pk, sk = pk } = Put?.Item ?? changed?.Key ?? {};
  return table === 'dogs' ? 'dog' : (parts[table]?.[sk.split('#')[0]] ?? sk);
}

function hasCondition({ Put, Update, Delete, ConditionCheck }: Action): boolean {
  return (Put ?? Update ?? Delete ?? ConditionCheck)?.ConditionExpression !== undefined;
}

/** What follows if the conditions of a part and of all parts after it fail. */
interface Refusal {
  readonly part: string;
  /** The stored item. By default, it is the one that the part puts, as if an earlier attempt had written the plan. */
  readonly stored?: Item;
  /** The name of the error that the function throws, or the value that it returns. */
  readonly follows: unknown;
}

interface TestedPlan {
  readonly of: string;
  /** Prepares the reads, and returns the function that commits the plan. */
  begin(): () => Promise<unknown>;
  readonly order: readonly Refusal[];
}

/** The number of transactions of a function. A function that begins again needs two. */
async function transactionsOf(work: Promise<unknown>): Promise<number> {
  await work;
  return dynamodb.commandCalls(TransactWriteCommand).length;
}

const keyUsed = { part: 'idempotency record', stored: { payloadHash: 'other' }, follows: 'KeyReused' };
const limitReached = { part: 'usage', stored: { barks: 1, mails: 1 }, follows: 'LimitReached' };
const changeOfDog = [
  { part: 'applied change', follows: 1 },
  { part: 'dog', follows: 2 },
];
const entryExists = { part: 'history entry', follows: expect.objectContaining({ kind: 'recorded' }) };

const plans: readonly TestedPlan[] = [
  {
    of: 'a synchronous bark',
    begin() {
      read(dogThat(['record']));
      return () => createBark('rex', { key }, newContext());
    },
    order: [keyUsed, entryExists, { part: 'dog', follows: 'NotFound' }, limitReached],
  },
  {
    of: 'an asynchronous bark',
    begin() {
      read(dogThat(['record']));
      return () => createBark('rex', { key, isAsync: true }, newContext());
    },
    order: [keyUsed, { part: 'bark', follows: expect.objectContaining({ kind: 'accepted' }) }, limitReached],
  },
  {
    of: 'the claim of a request',
    begin() {
      read(dogThat(['emailDog']));
      return () => createBark('rex', { key }, newContext());
    },
    order: [keyUsed, limitReached],
  },
  {
    of: 'the completion of an asynchronous bark',
    begin() {
      read(dogThat(['record']), bark);
      const event = { dog: 'rex', bark: `a${bark.sk.slice(2)}` };
      return () => performBark(event, lambdaContext());
    },
    order: [
      { part: 'bark', stored: { ...bark, status: 'cancelled' }, follows: { status: 'cancelled' } },
      { part: 'history entry', follows: { status: 'complete' } },
      // The function then fails the bark.
      { part: 'dog', follows: { status: 'failed' } },
    ],
  },
  {
    of: 'a schedule whose first occurrence is now',
    begin() {
      read(dogThat(['record']));
      return () => transactionsOf(post('rex', 1));
    },
    order: [
      { part: 'applied change', stored: { change: 'other' }, follows: 2 },
      { part: 'history entry', follows: 1 },
      { part: 'dog', follows: 2 },
      limitReached,
    ],
  },
  {
    of: 'the end of a schedule',
    begin() {
      read(dogThat(['record'], { schedule }));
      return () => transactionsOf(patch('rex', { barks: null }));
    },
    order: changeOfDog,
  },
  {
    of: 'a PATCH that changes nothing',
    begin() {
      read(dogThat(['record']));
      return () => transactionsOf(patch('rex', { barks: null }));
    },
    order: changeOfDog,
  },
  {
    of: 'an occurrence of a schedule',
    begin() {
      read(dogThat(['emailDog', 'record'], { schedule }));
      const occurrence = {
        version: 1,
        dog: 'rex',
        incarnation: 'now',
        scheduleId: schedule.scheduleId,
        firstScheduledAt: at,
        firstInvocationAt: at,
        frequency: 10,
        created: at - 600,
        scheduledTime: new Date(at * 1000).toISOString(),
      } as const;
      return () => transactionsOf(deliver(occurrence, newContext(), 'delivery'));
    },
    order: [
      {
        part: 'history entry',
        stored: { ...bark, mail: 'inProgress', delivery: 'delivery', claimEnds: at + 60 },
        follows: 'NotYet',
      },
      { part: 'dog', follows: 1 },
      // The second transaction records the bark without its mail.
      { part: 'usage', stored: { mails: 1 }, follows: 2 },
    ],
  },
  {
    of: 'a grant',
    begin() {
      dynamodb.on(GetCommand).resolves({ Item: { incarnation: 'now' } });
      return () => transactionsOf(createGrant('jane', 'walker', { replace: false }, newContext()));
    },
    order: [
      { part: 'grant', follows: 1 },
      { part: 'user', follows: 2 },
      { part: 'client', follows: 2 },
    ],
  },
];

describe.each(plans)('The plan of $of', ({ begin, order }) => {
  test.each(order.map(({ part, follows }, n) => [part, n, follows] as const))(
    'is decided by its part "%s", even if all later parts fail, too',
    async (_, n, follows) => {
      const act = begin();
      const failing = new Map(order.slice(n).map(({ part, stored }) => [part, stored]));
      const reasonOf = (action: Action): CancellationReason => {
        const part = partOf(action);
        if (!failing.has(part) || !hasCondition(action)) return { Code: 'None' };
        const item = failing.get(part) ?? action.Put?.Item;
        return { Code: 'ConditionalCheckFailed', ...(item && { Item: marshall(item) }) };
      };
      dynamodb
        .on(TransactWriteCommand)
        .callsFakeOnce(({ TransactItems }) => {
          const CancellationReasons = TransactItems.map(reasonOf);
          throw new TransactionCanceledException({ $metadata: {}, message: '', CancellationReasons });
        })
        .resolves({});
      const result = await act().catch(({ name }: Error) => name);
      expect(result).toEqual(follows);
      const [first] = dynamodb.commandCalls(TransactWriteCommand);
      const written = (first?.args[0].input.TransactItems ?? []).filter(hasCondition).map(partOf);
      expect(new Set(written)).toEqual(new Set(order.map(({ part }) => part)));
    },
  );
});

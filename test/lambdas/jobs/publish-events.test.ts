import { Ajv2020 } from 'ajv/dist/2020.js';
import type { DynamoDBStreamEvent } from 'aws-lambda';
import { createBark } from '../../../lambdas/domain/barks/create.ts';
import { deleteDog } from '../../../lambdas/domain/dogs/delete.ts';
import { putDog } from '../../../lambdas/domain/dogs/put.ts';
import { readDog } from '../../../lambdas/domain/dogs/read.ts';
import { InvalidEvent } from '../../../lambdas/domain/platform/event.ts';
import { purgeDog } from '../../../lambdas/domain/removal/purge.ts';
import { endSchedule } from '../../../lambdas/domain/schedules/change.ts';
import { handler as barkOnSchedule } from '../../../lambdas/jobs/bark-on-schedule.ts';
import { handler as failBark } from '../../../lambdas/jobs/fail-bark.ts';
import { handler as performBark } from '../../../lambdas/jobs/perform-bark.ts';
import { handler } from '../../../lambdas/jobs/publish-events.ts';
import { eventSchema } from '../../../openapi/events.ts';
import { context, sampleEvent } from '../../../tools/invocation.ts';
import { acceptBark } from '../../support/barks.ts';
import { newContext } from '../../support/context.ts';
import { linkTokenOf, newDog, newDogId, replaceSettings, settingsOf } from '../../support/dogs.ts';
import { calls, plan, reset, standingOf, useFunctions } from '../../support/faults.ts';
import { publishedOf } from '../../support/published-events.ts';
import { occurrenceOf, post } from '../../support/schedules.ts';
import { recordsOf, type StreamRecord } from '../../support/streams.ts';

useFunctions();
beforeEach(() => {
  jest.spyOn(Date, 'now').mockImplementation(() => newContext().now);
  for (const level of ['error', 'warn'] as const) jest.spyOn(console, level).mockReturnValue();
});
afterEach(() => {
  delete process.env.PUBLISHES_EVENTS;
});

const isValid = new Ajv2020({ strict: false }).compile(eventSchema());

const publish = (records: readonly object[]) => handler({ Records: records }, context());

/** Publishes all changes of a dog, and returns the types of the published events. Each event must match the schema. */
async function typesOf(dog: string): Promise<string[]> {
  const { dogs, barks } = recordsOf(dog);
  for (const records of [dogs, barks])
    if (records.length > 0) expect(await publish(records)).toEqual({ batchItemFailures: [] });
  const events = publishedOf(dog);
  for (const event of events) expect([isValid(event), isValid.errors, event]).toEqual([true, null, event]);
  expect(new Set(events.map(({ id }) => id)).size).toBe(events.length);
  return events.map(({ type }) => type.replace('dogs.', ''));
}

async function accept(dog: string): Promise<{ dog: string; bark: string }> {
  return { dog, bark: await acceptBark(dog) };
}

const seconds = () => Math.floor(newContext().now / 1000);

describe('The events of a dog', () => {
  test('are its creation, its changes and its deletion', async () => {
    const dog = newDogId();
    await putDog(dog, settingsOf('count'), {}, newContext());
    await replaceSettings(dog);
    await replaceSettings(dog);
    await createBark(dog, {}, newContext());
    await deleteDog(dog, {}, newContext());
    await replaceSettings(dog);
    expect(await typesOf(dog)).toEqual([
      'dog.created',
      'dog.changed',
      'dog.deleted',
      'dog.created',
      'bark.completed',
    ]);
    expect(publishedOf(dog)[2]?.data).toEqual({ dog, barkCount: 1 });
  });

  test('contain the settings that their schema describes', async () => {
    const dog = newDogId();
    const addresses = { email: 'dog@example.com', owner: 'mailto:owner@example.com' };
    const settings = { ...settingsOf('count'), ...addresses };
    await putDog(dog, settings, {}, newContext());
    await replaceSettings(dog);
    await replaceSettings(dog, settings);
    expect(await typesOf(dog)).toEqual(['dog.created', 'dog.changed', 'dog.changed']);
    const { barkEffects, barkHandling } = settings;
    for (const event of [publishedOf(dog)[0], publishedOf(dog)[2]])
      expect(event?.data).toEqual({ dog, barkEffects, barkHandling });
  });

  test('contain no address', async () => {
    const dog = await newDog('sync', ['emailDog', 'record']);
    await createBark(dog, { message: 'a secret' }, newContext());
    await typesOf(dog);
    expect(JSON.stringify(publishedOf(dog))).not.toMatch(/@|secret/);
  });

  test("contain nothing from which the token of the mail's link can be computed", async () => {
    const dog = await newDog('sync', ['emailDog']);
    await typesOf(dog);
    const { incarnation, mailKey = '' } = await readDog(dog, newContext());
    const tokenOf = (key: string) => linkTokenOf({ mailKey: key }, ['dog@example.com']);
    const words = new Set(JSON.stringify(publishedOf(dog)).match(/[\w-]+/g));
    expect(words).toContain(incarnation);
    expect(words).not.toContain(mailKey);
    expect([...words].map(tokenOf)).not.toContain(tokenOf(mailKey));
  });
});

describe('The events of a schedule', () => {
  test('are that it was set, replaced and ended by a request', async () => {
    const dog = await newDog('sync', ['record']);
    await post(dog, 1, { next: seconds() + 600 });
    const { schedule } = await readDog(dog, newContext());
    await post(dog, 2, { next: seconds() + 1200 });
    await endSchedule(dog, newContext());
    expect(await typesOf(dog)).toEqual([
      'dog.created',
      'schedule.set',
      'schedule.replaced',
      'schedule.ended',
    ]);
    const [, set, replaced, ended] = publishedOf(dog).map(({ data }) => data);
    expect(set).toEqual({
      dog,
      schedule: schedule?.scheduleId,
      start: schedule?.start,
      frequency: 10,
    });
    expect(replaced).toMatchObject({ replaced: schedule?.scheduleId });
    expect(ended).toMatchObject({ reason: 'request' });
  });

  test('are that it ended when the dog barked at its only occurrence', async () => {
    const dog = await newDog('sync', ['record']);
    await post(dog, 1, { frequency: null });
    await post(dog, 2, { next: seconds() + 60, frequency: null });
    await barkOnSchedule(occurrenceOf(standingOf(dog)), context());
    expect(await typesOf(dog)).toEqual([
      'dog.created',
      'schedule.set',
      'schedule.ended',
      'schedule.set',
      'schedule.ended',
      'bark.completed',
      'bark.completed',
    ]);
    expect(publishedOf(dog)[4]?.data).toMatchObject({ reason: 'last-occurrence' });
  });

  test('are that it ended when the dog was deleted', async () => {
    const dog = await newDog('sync', ['record']);
    await post(dog, 1, { next: seconds() + 600 });
    await deleteDog(dog, {}, newContext());
    expect(await typesOf(dog)).toEqual(['dog.created', 'schedule.set', 'schedule.ended', 'dog.deleted']);
    expect(publishedOf(dog)[2]?.data).toMatchObject({ reason: 'dog-deleted' });
  });
});

describe('The events of a bark', () => {
  test('are that a synchronous bark is complete', async () => {
    const dog = await newDog('sync', ['record']);
    const outcome = await createBark(dog, {}, newContext());
    if (outcome.kind !== 'recorded') throw new Error(outcome.kind);
    const { id: bark, timestamp } = outcome.bark;
    expect(await typesOf(dog)).toEqual(['dog.created', 'bark.completed']);
    expect(publishedOf(dog)[1]).toEqual({
      specversion: '1.0',
      id: `${bark}.completed`,
      source: 'https://dogs.example',
      type: 'dogs.bark.completed',
      subject: `/v1/dogs/${dog}/barks/${bark}`,
      time: expect.stringMatching(/Z$/),
      datacontenttype: 'application/json',
      dataschema: 'urn:dogs:events#/$defs/dogs.bark.completed',
      sequence: expect.stringMatching(/^\d{40}\.0$/),
      data: { dog, bark, recorded: true, timestamp },
    });
  });

  test('are that a bark that only sends mail is complete, if the stack publishes events', async () => {
    const dog = await newDog('sync', ['emailDog']);
    const key = { user: 'jane', resource: 'barks', value: 'once' } as const;
    await createBark(dog, {}, newContext());
    process.env.PUBLISHES_EVENTS = 'true';
    await createBark(dog, {}, newContext());
    for (let i = 0; i < 2; i++) await createBark(dog, { key }, newContext());
    expect(await typesOf(dog)).toEqual(['dog.created', 'bark.completed', 'bark.completed']);
    expect(publishedOf(dog)[1]).toMatchObject({ subject: `/v1/dogs/${dog}/`, data: { recorded: false } });
  });

  test('are that an open bark failed when the purge of its deleted dog deletes it, and no bark fails twice', async () => {
    const dog = await newDog('async', ['record']);
    const { incarnation } = await readDog(dog, newContext());
    const [open, performed, settled] = [await accept(dog), await accept(dog), await accept(dog)];
    await failBark(settled, context());
    await deleteDog(dog, {}, newContext());
    await performBark(performed, context());
    await purgeDog({ id: dog, incarnation }, newContext());
    expect(await performBark(open, context())).toEqual({ status: undefined });
    await publish(recordsOf(dog).barks);
    const failures = publishedOf(dog).map(({ type, data }) => ({ type, ...data }));
    const ofBark = ({ bark }: { bark: string }, reason: string) => ({
      type: 'dogs.bark.failed',
      dog,
      bark,
      reason,
    });
    const deleted = 'The dog was deleted.';
    expect(failures).toEqual([
      ofBark(settled, 'The service failed.'),
      ofBark(performed, deleted),
      ofBark(open, deleted),
    ]);
  });

  test('are that a bark failed whose pending marker expired', async () => {
    const dog = await newDog('async', ['record']);
    const pending = await accept(dog);
    const { incarnation } = await readDog(dog, newContext());
    const OldImage = {
      dog: { S: dog },
      sk: { S: `d#1795262400#${pending.bark.slice(1)}` },
      incarnation: { S: incarnation },
    };
    const userIdentity = { type: 'Service', principalId: 'dynamodb.amazonaws.com' };
    const record = { dynamodb: { SequenceNumber: '7', ApproximateCreationDateTime: 1795262460, OldImage } };
    await publish([record]);
    expect(publishedOf(dog)).toEqual([]);
    await publish([{ ...record, userIdentity }]);
    await failBark(pending, context());
    await publish(recordsOf(dog).barks);
    const ids = publishedOf(dog).map(({ id }) => id);
    expect(ids).toEqual([`${pending.bark}.failed`, `${pending.bark}.failed`]);
    expect(publishedOf(dog)[0]?.data).toMatchObject({ reason: 'The bark was not performed in time.' });
  });
});

describe('PublishEvents', () => {
  async function manyBarks(count: number): Promise<{ dog: string; records: StreamRecord[] }> {
    const dog = await newDog('sync', ['record']);
    for (let i = 0; i < count; i++) await createBark(dog, {}, newContext());
    const records = recordsOf(dog).barks;
    reset();
    return { dog, records };
  }

  test('accepts the sample event', async () => {
    const result = await handler(sampleEvent<DynamoDBStreamEvent>('PublishEvents'), context());
    expect(result).toEqual({ batchItemFailures: [] });
    expect(calls()).toEqual(['PutEvents']);
  });

  test('sends ten events with each call', async () => {
    const { dog, records } = await manyBarks(21);
    await publish(records);
    expect(calls()).toEqual(['PutEvents', 'PutEvents', 'PutEvents']);
    const sequences = publishedOf(dog).map(({ sequence }) => sequence);
    expect(sequences).toHaveLength(21);
    expect(sequences).toEqual([...sequences].sort());
  });

  test('makes no call for changes without events', async () => {
    const { dog } = await manyBarks(1);
    expect(await publish(recordsOf(dog).dogs.slice(1))).toEqual({ batchItemFailures: [] });
    expect(calls()).toEqual([]);
  });

  test('reports the first record of which EventBridge did not accept an event', async () => {
    const { dog, records } = await manyBarks(12);
    plan('PutEvents', 'entry not accepted');
    const itemIdentifier = records[5]?.dynamodb.SequenceNumber;
    expect(await publish(records)).toEqual({ batchItemFailures: [{ itemIdentifier }] });
    expect(calls()).toEqual(['PutEvents']);
    await publish(records.slice(5));
    expect(new Set(publishedOf(dog).map(({ id }) => id)).size).toBe(12);
  });

  test('reports the first record of a call that failed', async () => {
    const { records } = await manyBarks(12);
    plan('PutEvents', async () => {
      plan('PutEvents', 'no connection', Number.POSITIVE_INFINITY);
    });
    const itemIdentifier = records[10]?.dynamodb.SequenceNumber;
    expect(await publish(records)).toEqual({ batchItemFailures: [{ itemIdentifier }] });
  });

  test('throws if the events of the first record were not published, so that the invocation counts as failed', async () => {
    const { records } = await manyBarks(1);
    plan('PutEvents', 'entry not accepted');
    await expect(publish(records)).rejects.toThrow('EventBridge did not accept an event.');
  });

  const position = { SequenceNumber: '7', ApproximateCreationDateTime: 1 };
  const eventOf = (NewImage: object) => ({ Records: [{ dynamodb: { ...position, NewImage } }] });

  test.each<[string, unknown]>([
    ['no records', {}],
    ['an empty list', { Records: [] }],
    ['a record without a position', { Records: [{ dynamodb: {} }] }],
    ['a record without images', { Records: [{ dynamodb: position }] }],
    ['an image that is not an item', eventOf({ id: { X: 1 } })],
    ['an item of another table', eventOf({ pk: { S: 'u#jane' } })],
    ['a bark whose sort key is no text', eventOf({ dog: { S: 'rex' }, sk: { S: [{ toString: 0 }] } })],
    [
      'a bark whose time is no date',
      eventOf({
        dog: { S: 'rex' },
        sk: { S: 'b#01KAK0XW00ABCDEFGHJKMNPQRS' },
        incarnation: { S: '01KAK0XW00ABCDEFGHJKMNPQRS' },
        // The SDK returns a BigInt for this number.
        timestamp: { N: '9007199254740993' },
      }),
    ],
  ])('throws InvalidEvent for %s', async (_, event) => {
    await expect(handler(event, context())).rejects.toThrow(InvalidEvent);
    expect(calls()).toEqual([]);
  });
});

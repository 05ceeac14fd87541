import { readDogView } from '../../../lambdas/domain/barks/queries.ts';
import { InvalidEvent, Unavailable } from '../../../lambdas/domain/platform/errors.ts';
import type { Occurrence } from '../../../lambdas/domain/schedules/eventbridge.ts';
import { postSchedule } from '../../../lambdas/domain/schedules/post.ts';
import { handler } from '../../../lambdas/jobs/bark-on-schedule.ts';
import { context, sampleEvent } from '../../../tools/invocation.ts';
import { useDatabase } from '../../support/database.ts';
import { newDog } from '../../support/dogs.ts';
import { calls, injectFaults, plan, reset, standing, standingOf } from '../../support/faults.ts';
import { occurrenceOf } from '../../support/schedules.ts';

useDatabase();
beforeAll(injectFaults);
beforeEach(reset);

function newContext() {
  return { now: Date.now(), signal: AbortSignal.timeout(8_000) };
}

test('The sample event has the same types as the input of a schedule', async () => {
  const dog = await newDog('sync', ['record']);
  await postSchedule(dog, { token: 1, next: 0, frequency: 10 }, newContext());
  const [schedule] = standing(dog);
  const input = schedule && occurrenceOf(schedule);
  const sample = sampleEvent<Occurrence>('BarkOnSchedule');
  const typesOf = (event: object = {}) => Object.entries(event).map(([name, value]) => [name, typeof value]);
  expect(typesOf(sample)).toEqual(typesOf(input));
});

test('The handler makes the dog bark at the scheduled time of the occurrence', async () => {
  const dog = await newDog('sync', ['record']);
  await postSchedule(dog, { token: 1, next: 0, frequency: 10 }, newContext());
  const schedule = standingOf(dog);
  const { firstScheduledAt } = occurrenceOf(schedule);
  await handler(occurrenceOf(schedule), context());
  expect((await readDogView(dog, newContext())).previous.at(-1)).toBe(firstScheduledAt);
});

test('The handler deletes the schedule of an unknown dog', async () => {
  await handler(sampleEvent('BarkOnSchedule'), context());
  expect(calls()).toEqual(['GetItem', 'DeleteSchedule']);
});

test('The handler throws InvalidEvent for an occurrence of an unknown version', async () => {
  const newer = { ...sampleEvent<Occurrence>('BarkOnSchedule'), version: 2 };
  await expect(handler(newer, context())).rejects.toThrow(InvalidEvent);
  expect(calls()).toEqual([]);
});

test('The handler throws Unavailable before the timeout, so that Lambda delivers the occurrence again', async () => {
  plan('GetItem', 'hangs');
  await expect(handler(sampleEvent('BarkOnSchedule'), context(1_100))).rejects.toThrow(Unavailable);
});

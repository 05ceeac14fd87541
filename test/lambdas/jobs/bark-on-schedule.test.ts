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

test('The sample event has the shape of what the scheduler is given for its target', async () => {
  const dog = await newDog('sync', ['record']);
  await postSchedule(dog, { token: 1, next: 0, frequency: 10 }, newContext());
  const [schedule] = standing(dog);
  const told = schedule && occurrenceOf(schedule);
  const sample = sampleEvent<Occurrence>('BarkOnSchedule');
  const typesOf = (event: object = {}) => Object.entries(event).map(([name, value]) => [name, typeof value]);
  expect(typesOf(sample)).toEqual(typesOf(told));
});

test('An occurrence makes the dog bark at its scheduled time', async () => {
  const dog = await newDog('sync', ['record']);
  await postSchedule(dog, { token: 1, next: 0, frequency: 10 }, newContext());
  const schedule = standingOf(dog);
  const { firstScheduledAt } = occurrenceOf(schedule);
  await handler(occurrenceOf(schedule), context());
  expect((await readDogView(dog, newContext())).previous.at(-1)).toBe(firstScheduledAt);
});

test('The sample event is of a dog that there is not: its schedule is forgotten', async () => {
  await handler(sampleEvent('BarkOnSchedule'), context());
  expect(calls()).toEqual(['GetItem', 'DeleteSchedule']);
});

test('An occurrence of a version that is not known is not guessed at', async () => {
  const newer = { ...sampleEvent<Occurrence>('BarkOnSchedule'), version: 2 };
  await expect(handler(newer, context())).rejects.toThrow(InvalidEvent);
  expect(calls()).toEqual([]);
});

test('An occurrence that cannot be handled in time fails, so that Lambda delivers it again', async () => {
  plan('GetItem', 'hangs');
  await expect(handler(sampleEvent('BarkOnSchedule'), context(1_100))).rejects.toThrow(Unavailable);
});

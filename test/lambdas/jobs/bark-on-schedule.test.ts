import { InvalidEvent } from '../../../lambdas/domain/platform/event.ts';
import type { Occurrence } from '../../../lambdas/domain/schedules/eventbridge.ts';
import { handler } from '../../../lambdas/jobs/bark-on-schedule.ts';
import { context, sampleEvent } from '../../../tools/invocation.ts';
import { currentContext } from '../../support/context.ts';
import { newDog } from '../../support/dogs.ts';
import { calls, standingOf, useFunctions } from '../../support/faults.ts';
import { occurrenceOf, post } from '../../support/schedules.ts';

useFunctions();

async function scheduledDog(): Promise<{ dog: string; occurrence: Occurrence }> {
  const dog = await newDog('sync', ['record']);
  await post(dog, 1, {}, currentContext());
  return { dog, occurrence: occurrenceOf(standingOf(dog)) };
}

describe('BarkOnSchedule', () => {
  test('has a sample event with the same types as the input of a schedule', async () => {
    const typesOf = (event: object) => Object.entries(event).map(([name, value]) => [name, typeof value]);
    const { occurrence } = await scheduledDog();
    expect(typesOf(sampleEvent<Occurrence>('BarkOnSchedule'))).toEqual(typesOf(occurrence));
  });

  test('throws InvalidEvent for an occurrence of an unknown version', async () => {
    const newer = { ...sampleEvent<Occurrence>('BarkOnSchedule'), version: 2 };
    await expect(handler(newer, context())).rejects.toThrow(InvalidEvent);
    expect(calls()).toEqual([]);
  });
});

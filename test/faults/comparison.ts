import type { Dog } from '../../lambdas/domain/dogs/dog.ts';
import { entryTextOf, type ReferenceModel, unknownScheduleId } from './model/reference-model.ts';
import { barkIdOf, type State } from './state.ts';

/** Returns true if EventBridge Scheduler has had a schedule, so that the reference model knows its scheduleId. */
type IsKnown = (scheduleId: string) => boolean;

/** Returns the stored data of a dog in the form that `dataOfModel` returns. */
export function dataOf(
  { dog, history, barks, markers, appliedChanges, idempotencyRecords, usage }: State,
  isKnown: IsKnown,
) {
  const own = <Item extends { incarnation: string }>(items: readonly Item[]) =>
    items.filter(({ incarnation }) => incarnation === dog?.incarnation);
  return {
    dog: dog && comparable(dog, isKnown),
    history: own(history).map(entryTextOf).sort(),
    barks: Object.fromEntries(
      own(barks).map(({ sk, incarnation, effects, deadline, status, inHistory = false }) => [
        barkIdOf(sk),
        { incarnation, effects, inHistory, deadline, status },
      ]),
    ),
    markers: own(markers)
      .map(({ sk }) => `a${sk.split('#').at(-1)}`)
      .sort(),
    appliedChanges: own(appliedChanges).length,
    // A claim has no outcome.
    idempotencyRecords: own(idempotencyRecords).filter(({ outcome }) => outcome).length,
    used: usedOf(usage),
  };
}

/** Returns the usage in the form of the model. A counter can be 0 after it was reversed. */
function usedOf(usage: State['usage']): Record<string, number> {
  const entries = usage.flatMap(({ dog, sk, barks = 0, mails = 0 }) => {
    const of = dog.startsWith('u#') ? `user ${dog.slice(2)}` : `dog ${dog}`;
    const window = Number(sk.slice(2)) / 60;
    return Object.entries({ barks, mails }).map(
      ([counter, used]) => [`${counter} of ${of} in ${window}`, used] as const,
    );
  });
  return Object.fromEntries(entries.filter(([, used]) => used !== 0));
}

export function dataOfModel(
  { dog, barks, idempotencyRecords, used }: ReferenceModel,
  isKnown: IsKnown,
): ReturnType<typeof dataOf> {
  const own = Object.entries(barks).filter(([, { incarnation }]) => incarnation === dog?.incarnation);
  const { history = [], occurrences: _, appliedChanges = {}, ...kept } = dog ?? {};
  return {
    dog: dog && comparable(kept as Dog, isKnown),
    history,
    barks: Object.fromEntries(own),
    markers: own.flatMap(([id, { status }]) => (status === 'pending' ? [id] : [])).sort(),
    appliedChanges: Object.keys(appliedChanges).length,
    idempotencyRecords: idempotencyRecords.filter(({ incarnation }) => incarnation === dog?.incarnation)
      .length,
    used,
  };
}

/** Returns the dog without `settingsChange`. If EventBridge Scheduler never had the schedule, also omits the scheduleId. */
function comparable({ settingsChange: _, ...dog }: Dog, isKnown: IsKnown): Dog {
  const { schedule } = dog;
  if (!schedule || isKnown(schedule.scheduleId)) return dog;
  return { ...dog, schedule: { ...schedule, scheduleId: unknownScheduleId } };
}

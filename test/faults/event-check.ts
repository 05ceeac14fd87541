import { handler as publishEvents } from '../../lambdas/jobs/publish-events.ts';
import { context } from '../../tools/invocation.ts';
import { publishedOf } from '../support/published-events.ts';
import { recordsOf } from '../support/streams.ts';
import { isLive } from './model/schedule-rules.ts';
import { barkIdOf, type State, stateOf } from './state.ts';

type Event = ReturnType<typeof publishedOf>[number];

/**
 * Publishes the events of a dog, as Lambda does with the records of the streams, and compares them with the stored data.
 *
 * @param accepted the IDs of all asynchronous barks
 * @param hasPurged true if the purge has deleted items, whose events then have no stored data
 * @returns the number of events
 * @throws Error if the dog's data has no event, several events or the wrong event
 */
export async function checkEvents(
  dog: string,
  accepted: readonly string[],
  hasPurged: boolean,
): Promise<number> {
  const { dogs, barks } = recordsOf(dog);
  for (const records of [dogs, barks])
    if (records.length > 0) await publishEvents({ Records: records }, context());
  const events = publishedOf(dog);
  const state = stateOf(dog);
  const wrong = [
    ...repeatedIn(events.map(({ id }) => id)).map((id) => `the event ${id} has two changes`),
    ...wrongBarks(events, state, accepted, hasPurged),
    ...wrongLives(events, state),
    ...wrongSchedules(events, state),
  ];
  if (wrong.length > 0)
    throw new Error(
      [...wrong, ...events.map(({ id, type, data }) => `${type} ${id} ${JSON.stringify(data)}`)].join('\n'),
    );
  return events.length;
}

function repeatedIn(ids: readonly string[]): string[] {
  return ids.filter((id, i) => ids.indexOf(id) !== i);
}

/** Each bark that has happened, failed, was cancelled or was purged has one event, and no other bark has one. */
function wrongBarks(
  events: readonly Event[],
  { history, barks }: State,
  accepted: readonly string[],
  hasPurged: boolean,
): string[] {
  const settled = [
    ...history.filter(({ barkId }) => barkId === undefined).map(({ sk }) => `s${sk.slice(2)}.completed`),
    ...barks
      .filter(({ status }) => !['pending', 'inProgress'].includes(status))
      .map(({ sk, status }) => `${barkIdOf(sk)}.${status === 'complete' ? 'completed' : status}`),
  ];
  const ids = events
    .filter(({ type }) => /bark\.(completed|failed|cancelled)$/.test(type))
    .map(({ id }) => id);
  const open = barks.map(({ sk }) => barkIdOf(sk)).filter((id) => !settled.some((one) => one.startsWith(id)));
  const purged = accepted.filter((id) => !barks.some(({ sk }) => barkIdOf(sk) === id));
  return [
    ...purged
      .filter((bark) => !ids.some((id) => id.startsWith(bark)))
      .map((bark) => `there is no event of the purged bark ${bark}`),
    ...settled.filter((id) => !ids.includes(id)).map((id) => `there is no event ${id}`),
    ...ids
      .filter((id) => !settled.includes(id) && (!hasPurged || open.some((bark) => id.startsWith(bark))))
      .map((id) => `the event ${id} has no bark`),
  ];
}

/** Creations and deletions of a dog alternate. */
function wrongLives(events: readonly Event[], { dog }: State): string[] {
  const lives = events.map(({ type }) => type).filter((type) => /dog\.(created|deleted)$/.test(type));
  const isInTurn = lives.every((type, i) => type === (i % 2 === 0 ? 'dogs.dog.created' : 'dogs.dog.deleted'));
  return isInTurn && lives.length % 2 === (dog ? 1 : 0) ? [] : [`the dog has the events ${lives}`];
}

/** A schedule begins only if the dog has none, or replaces the one that it has. */
function wrongSchedules(events: readonly Event[], { dog }: State): string[] {
  const wrong: string[] = [];
  let live: string | undefined;
  for (const { type, data } of events) {
    if (!type.startsWith('dogs.schedule.')) continue;
    const { schedule, replaced } = data as { schedule: string; replaced?: string };
    const before = type === 'dogs.schedule.ended' ? schedule : replaced;
    if (live !== before) wrong.push(`the dog has the schedule ${live} before ${type} of ${schedule}`);
    live = type === 'dogs.schedule.ended' ? undefined : schedule;
  }
  const stored = isLive(dog?.schedule) ? dog?.schedule?.scheduleId : undefined;
  return live === stored
    ? wrong
    : [...wrong, `the events end with the schedule ${live} instead of ${stored}`];
}

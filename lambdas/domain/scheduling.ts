import { createHash } from 'node:crypto';
import type { Call } from './call.ts';
import type { Dog } from './dog.ts';
import { demand, type Precondition } from './dogs.ts';
import { InvalidSchedule, PreconditionFailed } from './errors.ts';
import {
  type BarkScheduleDocument,
  newGeneration,
  type Plan,
  patched,
  planOf,
  type Schedule,
  type SchedulePatch,
  slotAfter,
} from './schedule.ts';
import { type Along, change, commit, end, type Memory, type Outcome, tidyOld } from './schedule-change.ts';
import { sendSlotMail, slotNote } from './scheduled-bark.ts';
import { createSchedule, tidySchedule } from './scheduler.ts';

/** How long a PATCH is remembered after its date, in seconds: as long as such a date is accepted, and a little more. */
const memoryLife = 24 * 60 * 60 + 10 * 60;

export interface PatchRequest {
  /** If-Unmodified-Since, in Unix seconds: with the body it tells a repeat from a new request. */
  readonly since: number;
  readonly body: Uint8Array;
  readonly precondition: Precondition;
  /** Reads the body; called only if the request is no repeat. @throws whatever is wrong with it */
  readonly read: () => SchedulePatch;
}

/**
 * Applies a merge patch to a dog's schedule, once, however often it is sent.
 *
 * @throws NotFound
 * @throws PreconditionFailed if a client has changed the dog since the date, or the dog is not in the state demanded
 * @throws InvalidSchedule, ScheduleRefused, Unavailable
 */
export function patchSchedule(
  dogId: string,
  { since, body, precondition, read }: PatchRequest,
  call: Call,
): Promise<Outcome> {
  const digest = createHash('sha256').update(`${since}\n`).update(body).digest('base64url');
  const remembered = { sk: `m#${digest}`, expires: since + memoryLife };
  const along = { remembered, exact: Object.keys(precondition).length > 0 };
  const decide = (dog: Dog, known: Memory | undefined) => {
    if (known) return 'repeated';
    const patch = read();
    if (dog.settingsModified > since) throw changedSince(dog, since);
    demand(precondition, dog);
    const wanted = patched(dog, patch, call.now);
    if (wanted === 'unchanged') return wanted;
    return () => (wanted === 'end' ? end(dog, along, call) : set(dog, wanted, along, call));
  };
  return change(dogId, remembered, decide, call);
}

/**
 * Sets a dog's schedule, once for each token, however often it is sent.
 *
 * @throws NotFound
 * @throws InvalidSchedule if the token was sent before with other content, or the time is out of range
 * @throws ScheduleRefused, Unavailable
 */
export function postSchedule(
  dogId: string,
  { token, next, frequency: asked }: BarkScheduleDocument,
  call: Call,
): Promise<Outcome> {
  const frequency = asked || null;
  // The text of a number is the same for all its spellings, and for 0 and -0.
  const remembered = { sk: `t#${token}`, next, frequency };
  const decide = (dog: Dog, known: Memory | undefined) => {
    if (!known) {
      const plan = planOf(dog, { next, frequency }, call.now);
      return () => set(dog, plan, { remembered }, call);
    }
    if (known.next === next && known.frequency === frequency) return 'repeated';
    throw new InvalidSchedule(
      'token',
      'was sent before, with another next or frequency; a new schedule needs a new token',
    );
  };
  return change(dogId, remembered, decide, call);
}

/**
 * Sets a schedule. The scheduler is asked first, under a new name that means nothing until the dog bears it: a crash
 * leaves the old schedule working or the new one, and at the scheduler perhaps one that deletes itself when it fires.
 *
 *     CreateSchedule ──── TransactWriteItems (dog, memory, first bark) ──── DeleteSchedule (old) ──── SendEmail
 *                     ↑                                                 ↑
 *     the old one works, the new one fires to no effect     the new one works, the old one fires to no effect
 *
 * @returns false if another change of the dog was faster
 */
async function set(dog: Dog, { start, frequency, atOnce }: Plan, along: Along, call: Call): Promise<boolean> {
  const schedule: Schedule = { generation: newGeneration(call.now), start, frequency };
  const first = atOnce ? slotAfter(schedule, start) : start;
  if (first !== null) await createSchedule(dog, schedule, first, call);
  const bark = atOnce ? slotNote(dog, schedule, start) : undefined;
  if (!(await commit(dog, schedule, { ...along, bark }, call))) {
    if (first !== null) await tidySchedule(dog.id, schedule.generation, call);
    return false;
  }
  await tidyOld(dog, call);
  if (bark) await sendSlotMail(dog, bark, { patient: false }, call);
  return true;
}

function changedSince(dog: Dog, since: number): PreconditionFailed {
  const [changed, known] = [dog.settingsModified, since].map((time) => new Date(time * 1000).toUTCString());
  return new PreconditionFailed(
    `The dog was changed at ${changed}, which is after the If-Unmodified-Since of this request, ${known}. Look at it, and send the patch with a newer date if it is still right.`,
  );
}

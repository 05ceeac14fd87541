import { createHash } from 'node:crypto';
import { environment } from '../environment.ts';
import { type Action, findItem, putNote } from './bark-items.ts';
import { type Call, seconds } from './call.ts';
import type { Dog } from './dog.ts';
import { demand, type Precondition, readDog } from './dogs.ts';
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
import { type Along, commit, tidyOld } from './schedule-change.ts';
import { sendSlotMail, slotNote } from './scheduled-bark.ts';
import { createSchedule, tidySchedule } from './scheduler.ts';

/** An item of the table of barks: a change that was made, by which its repeat is known. */
interface Memory {
  readonly dog: string;
  /** `m#` and a digest for a PATCH, `t#` and the token for a POST. */
  readonly sk: string;
  readonly life: string;
  /** The generation of the schedule that it made; a name of its own, where it ended one. */
  readonly change: string;
  /** What a POST asked for. */
  readonly next?: number;
  readonly frequency?: number | null;
  /** Unix seconds after which it is gone; absent for what is remembered as long as the dog lives. */
  readonly expires?: number;
}

interface Change {
  /** What it leaves behind, by which its repeat is known. */
  readonly remembered: Omit<Memory, 'dog' | 'life' | 'change'>;
  /** True if it must find the dog in the very state that `decide` saw. */
  readonly exact?: boolean;
  /** What is to be done with the dog as it was found. */
  readonly decide: (dog: Dog, known: Memory | undefined) => Plan | 'end' | 'repeated' | 'unchanged';
}

/** Whether a change was made, had been made before, or changes nothing. */
export type Outcome = 'changed' | 'repeated' | 'unchanged';

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
  const decide: Change['decide'] = (dog, known) => {
    if (known) return 'repeated';
    const patch = read();
    if (dog.settingsModified > since) throw changedSince(dog, since);
    demand(precondition, dog);
    return patched(dog, patch, call.now);
  };
  return change(dogId, { remembered, exact: Object.keys(precondition).length > 0, decide }, call);
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
  const decide: Change['decide'] = (dog, known) => {
    if (!known) return planOf(dog, { next, frequency }, call.now);
    if (known.next === next && known.frequency === frequency) return 'repeated';
    throw new InvalidSchedule(
      'token',
      'was sent before, with another next or frequency; a new schedule needs a new token',
    );
  };
  return change(dogId, { remembered, decide }, call);
}

/** Makes a change, unless it was made before. Where another change is faster, it looks at the dog again. */
async function change(dogId: string, wanted: Change, call: Call): Promise<Outcome> {
  for (;;) {
    const { dog, decision } = await decide(dogId, wanted, call);
    if (decision === 'repeated' || decision === 'unchanged') return decision;
    const made = await (decision === 'end' ? end(dog, wanted, call) : set(dog, decision, wanted, call));
    if (made) return 'changed';
  }
}

/** Decides by the dog and by what is remembered of it, which are read side by side. */
async function decide(dogId: string, wanted: Change, call: Call) {
  const [dog, item] = await Promise.all([readDog(dogId, call), findMemory(dogId, wanted, call)]);
  const by = (known: Memory | undefined) => ({
    dog,
    decision: wanted.decide(dog, known?.life === dog.life ? known : undefined),
  });
  try {
    return by(item);
  } catch (error) {
    // The dog may show the very change that is asked for, made by its first sending after the memory was read.
    const later = item ? undefined : await findMemory(dogId, wanted, call);
    if (!later) throw error;
    return by(later);
  }
}

async function findMemory(dog: string, { remembered }: Change, call: Call): Promise<Memory | undefined> {
  return (await findItem({ dog, sk: remembered.sk }, call)) as unknown as Memory | undefined;
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
async function set(dog: Dog, plan: Plan, wanted: Change, call: Call): Promise<boolean> {
  const { start, frequency, atOnce, keepsNext } = plan;
  const schedule: Schedule = { generation: newGeneration(call.now), start, frequency };
  const first = atOnce ? slotAfter(schedule, start) : start;
  if (first !== null) await createSchedule(dog, schedule, first, call);
  const bark = atOnce ? slotNote(dog, schedule, start) : undefined;
  const made = { ...wanted, bark, keepsNext, change: schedule.generation };
  if (!(await remember(dog, schedule, made, call))) {
    if (first !== null) await tidySchedule(dog.id, schedule.generation, call);
    return false;
  }
  await Promise.all([tidyOld(dog, call), bark && sendSlotMail(dog, bark, { patient: false }, call)]);
  return true;
}

/** Ends the schedule that the dog has. @returns false if another change of the dog was faster */
async function end(dog: Dog, wanted: Change, call: Call): Promise<boolean> {
  const ended = { ...(dog.schedule as Schedule), ended: true } as const;
  // The slot that was to come may have been the last: then there is nothing left to end.
  const made = await remember(
    dog,
    ended,
    { ...wanted, keepsNext: true, change: newGeneration(call.now) },
    call,
  );
  if (made) await tidyOld(dog, call);
  return made;
}

/** Gives the dog a schedule, and remembers the change by a name that is this call's own. */
async function remember(
  dog: Dog,
  schedule: Schedule,
  { remembered, change, exact, keepsNext, bark }: Change & { change: string } & Omit<Along, 'others'>,
  call: Call,
): Promise<boolean> {
  const memory = putMemory({ ...remembered, dog: dog.id, life: dog.life, change }, call);
  const others = [memory, ...(bark ? [putNote(bark)] : [])];
  const conflicts = await commit(dog, schedule, { bark, exact, keepsNext, others }, call);
  // If the name is there, a try took place whose answer was lost.
  return !conflicts || conflicts[0]?.item?.change === change;
}

function putMemory(Item: Memory, call: Call): Action {
  return {
    Put: {
      TableName: environment('BARKS_TABLE'),
      Item,
      ConditionExpression: 'attribute_not_exists(sk) OR life <> :life OR expires <= :now',
      ExpressionAttributeValues: { ':life': Item.life, ':now': seconds(call.now) },
      ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
    },
  };
}

function changedSince(dog: Dog, since: number): PreconditionFailed {
  const [changed, known] = [dog.settingsModified, since].map((time) => new Date(time * 1000).toUTCString());
  return new PreconditionFailed(
    `The dog was changed at ${changed}, which is after the If-Unmodified-Since of this request, ${known}. Look at it, and send the patch with a newer date if it is still right.`,
  );
}

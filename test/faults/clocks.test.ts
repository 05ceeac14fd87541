import type { BarkOutcome, BarkRequest } from '../../lambdas/domain/barks/bark.ts';
import { createBark } from '../../lambdas/domain/barks/create.ts';
import { performBark } from '../../lambdas/domain/barks/perform.ts';
import {
  isUnchangedSince,
  listBarks,
  readBark,
  readDogView,
  readLastBark,
} from '../../lambdas/domain/barks/queries.ts';
import { deleteDog } from '../../lambdas/domain/dogs/delete.ts';
import type { DogSettings, Effect } from '../../lambdas/domain/dogs/dog.ts';
import { putDog } from '../../lambdas/domain/dogs/put.ts';
import { postSchedule } from '../../lambdas/domain/schedules/change.ts';
import { useDatabase } from '../support/database.ts';
import { type Process, standingOf } from '../support/faults.ts';
import { fire, patch } from '../support/schedules.ts';
import { Sandbox, useSandboxes } from './trial.ts';

/**
 * Sets the clock of the functions back by an hour between two requests. The random races do the same with many sequences of
 * operations. Their reference model reads the clock too, so this file states what must hold in spite of the clock.
 */

useDatabase();
useSandboxes();

const now = Date.UTC(2026, 10, 21, 12);
const at = now / 1000;
const hour = 3_600;

/** Returns a context. @param ahead the time since the first request by the clock of the function, in seconds */
function clock(ahead: number) {
  return { now: now + ahead * 1000, signal: new AbortController().signal };
}

let dogs = 0;

/** Creates a dog with an address. */
async function newDog(barkHandling: DogSettings['barkHandling'], ...barkEffects: Effect[]): Promise<string> {
  dogs += 1;
  const id = `clock-${dogs}`;
  await putDog(id, { email: 'dog@example.com', barkEffects, barkHandling }, {}, clock(0));
  return id;
}

/** Runs a function that dies directly after SES has accepted its mail. */
async function dieAfterMail(work: () => Promise<unknown>): Promise<Process> {
  const process = new Sandbox(now);
  process.plan('SendRawEmail', 'dies after');
  await process.run(work);
  return process;
}

/** Runs a function, and returns the name of its error or undefined, and the number of its mails. */
async function run(work: () => Promise<unknown>): Promise<{ error: string | undefined; mails: number }> {
  const process = new Sandbox(now);
  const error = await process.run(work).then(
    () => undefined,
    ({ name }: Error) => name,
  );
  return { error, mails: process.sent().length };
}

async function acceptBark(dog: string, ahead = 0): Promise<string> {
  const accepted = await createBark(dog, { isAsync: true }, clock(ahead));
  if (accepted.kind !== 'accepted') throw new Error(accepted.kind);
  return accepted.bark.id;
}

describe('After the clock was set back by an hour', () => {
  test('a bark advances Last-Modified, so that a GET with If-Modified-Since returns the dog', async () => {
    const dog = await newDog('sync', 'record');
    await createBark(dog, {}, clock(-hour));
    const view = await readDogView(dog, clock(-hour));
    expect(view.dog).toMatchObject({ lastModified: at + 1, version: 2, barkCount: 1 });
    expect(await isUnchangedSince(view, at, clock(-hour))).toBe(false);
  });

  test('a PATCH with the Last-Modified of the dog is applied, and one with an earlier date overwrites nothing', async () => {
    const dog = await newDog('sync', 'record');
    const send = (next: number, since: number) => patch(dog, { barks: { next } }, clock(-hour), { since });
    await expect(send(at + 60, at - hour)).rejects.toThrow('A client changed the dog');
    expect(await send(at + 120, at)).toBe('changed');
    await expect(send(at + 180, at)).rejects.toThrow('A client changed the dog');
    expect(await send(at + 240, at + 1)).toBe('changed');
    expect(await readDogView(dog, clock(-hour))).toMatchObject({ next: at + 240 });
  });

  test('the repeat of a PATCH or of a POST to bark-schedule changes nothing', async () => {
    const dog = await newDog('sync', 'record');
    const send = (ahead: number) =>
      patch(dog, { barks: { next: 0, frequency: 10 } }, clock(ahead), { since: at });
    const post = (ahead: number) => postSchedule(dog, { token: 1, next: 0, frequency: 20 }, clock(ahead));
    expect([await send(0), await send(-hour)]).toEqual(['changed', 'repeated']);
    expect([await post(1), await post(-hour), await send(-hour)]).toEqual([
      'changed',
      'repeated',
      'repeated',
    ]);
    expect((await readDogView(dog, clock(-hour))).previous).toEqual([at, at + 1]);
  });

  test('the history has each bark, in the order of the timestamps', async () => {
    const dog = await newDog('sync', 'record');
    for (const ahead of [0, 2, -hour, 1 - hour, 3]) await createBark(dog, {}, clock(ahead));
    const { previous, dog: state } = await readDogView(dog, clock(-hour));
    expect(previous).toEqual([at - hour, at - hour + 1, at, at + 2, at + 3]);
    expect(state.barkCount).toBe(5);
  });

  test('a new dog with the ID of a deleted dog shows its own last bark', async () => {
    const dog = await newDog('sync', 'record');
    await createBark(dog, {}, clock(0));
    await deleteDog(dog, {}, clock(1));
    await putDog(dog, { barkEffects: ['record'], barkHandling: 'sync' }, {}, clock(-hour));
    await expect(readLastBark(dog, clock(-hour))).rejects.toThrow('has not barked yet');
    await createBark(dog, {}, clock(-hour));
    expect(await readLastBark(dog, clock(-hour))).toMatchObject({ timestamp: at - hour });
  });

  test('a client that follows the pages gets each earlier bark once, while the dog barks', async () => {
    const dog = await newDog('sync', 'record');
    for (let i = 0; i < 7; i++) await createBark(dog, {}, clock(i));
    const listed: (number | null)[] = [];
    for (let after: string | undefined; ; ) {
      const page = await listBarks(dog, { limit: 2, ...(after !== undefined && { after }) }, clock(-hour));
      listed.push(...page.barks.map(({ timestamp }) => timestamp));
      if (page.next === undefined) break;
      after = page.next;
      await createBark(dog, {}, clock(listed.length - hour));
    }
    const earlier = Array.from({ length: 7 }, (_, i) => at + 6 - i);
    expect(listed.slice(0, 7)).toEqual(earlier);
    expect(new Set(listed).size).toBe(listed.length);
  });

  test('a repeat with the same Idempotency-Key gets the first outcome and sends no mail', async () => {
    const dog = await newDog('sync', 'emailDog', 'record');
    const key = { user: 'jane', resource: 'barks', value: 'a' } as const;
    const bark = (ahead: number) => createBark(dog, { key }, clock(ahead));
    const first = await bark(0);
    const repeats: BarkOutcome[] = [];
    const { mails } = await run(async () => repeats.push(await bark(-hour), await bark(90)));
    expect([repeats, mails]).toEqual([[first, first], 0]);
    expect((await readDogView(dog, clock(90))).dog.barkCount).toBe(1);
  });

  test('a repeat learns that the mail may have been sent when the clock shows the end of the lease, if the first function died', async () => {
    const dog = await newDog('sync', 'emailDog', 'record');
    const request: BarkRequest = { key: { user: 'jane', resource: 'barks', value: 'a' } };
    await dieAfterMail(() => createBark(dog, request, clock(0)));
    for (const ahead of [-hour, 0, 59])
      expect(await run(() => createBark(dog, request, clock(ahead)))).toEqual({
        error: 'RequestInProgress',
        mails: 0,
      });
    for (const ahead of [60, -hour])
      expect(await run(() => createBark(dog, request, clock(ahead)))).toEqual({
        error: 'MailUnknown',
        mails: 0,
      });
    expect((await readDogView(dog, clock(90))).dog.barkCount).toBe(0);
  });

  test('no run sends the mail of a bark again, if the first run died', async () => {
    const dog = await newDog('async', 'emailDog', 'record');
    const bark = await acceptBark(dog);
    await dieAfterMail(() => performBark(dog, bark, clock(5)));
    for (const ahead of [-hour, 64])
      expect(await run(() => performBark(dog, bark, clock(ahead)))).toEqual({
        error: 'NotYet',
        mails: 0,
      });
    expect(await run(() => performBark(dog, bark, clock(65)))).toEqual({
      error: undefined,
      mails: 0,
    });
    const { status, reason } = await readBark(dog, bark, clock(65));
    expect([status, reason]).toEqual(['failed', 'The mail may have been sent.']);
  });

  test('an occurrence makes the dog bark once, at its own time', async () => {
    const dog = await newDog('sync', 'record');
    await postSchedule(dog, { token: 1, next: at + 60, frequency: 10 }, clock(0));
    const schedule = standingOf(dog);
    for (const ahead of [60 - hour, 61 - hour, 62]) await fire(schedule, clock(ahead));
    expect(await readDogView(dog, clock(62))).toMatchObject({ previous: [at + 60], next: at + 660 });
  });
});

describe('A function whose clock is an hour behind', () => {
  test('accepts a bark that no other function performs, and the failure triggers an alarm', async () => {
    const dog = await newDog('async', 'record');
    const bark = await acceptBark(dog, -hour);
    const process = new Sandbox(now);
    await process.run(() => performBark(dog, bark, clock(5)));
    const { status, reason } = await readBark(dog, bark, clock(5));
    expect([status, reason]).toEqual(['failed', 'The bark was not performed in time.']);
    expect(process.logged.join()).toContain('"event":"BarkFailed"');
    expect((await readDogView(dog, clock(5))).dog.barkCount).toBe(0);
  });
});

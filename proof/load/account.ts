import { itemsOf } from '../../test/start/tables.ts';
import type { Mail } from '../../test/support/client.ts';
import type { Table } from '../../tools/table.ts';
import { type Dogs, isUnknown, type LoadDog } from './dogs.ts';
import { barksIn, eventsOf, type Stored, storedOf } from './stored.ts';
import type { Target } from './target.ts';

/** The failure reason of a bark whose function died while it was sending the mail. */
const unknownReason = 'The mail may have been sent.';

const columns = ['required', 'uncertain', 'found', 'lost', 'too often'] as const;

/** The numbers of one kind of thing, such as barks or emails. */
type Line = Record<(typeof columns)[number], number>;

/** Compares what clients know about the dogs with the stored data, the inbox and the events. */
export class Account {
  readonly faults: string[] = [];
  private readonly lines: Record<string, Line> = {};
  private readonly inbox: ReadonlyMap<string, readonly Mail[]>;
  /** The keys of the emails that belong to a bark. */
  private readonly seen = new Set<string>();
  /** The IDs of the barks for which a failed email was logged. */
  private readonly failed: ReadonlySet<string>;

  private constructor(mails: readonly Mail[], failed: ReadonlySet<string>) {
    this.inbox = Map.groupBy(mails, ({ body }) => keyOf(body));
    this.failed = failed;
  }

  /** @param due the time up to which occurrences must have made dogs bark, in Unix seconds */
  static async of(target: Target, { barking, steady, restless, gone }: Dogs, due: number): Promise<Account> {
    const { emails } = (await (await fetch(target.access.mail_url ?? '')).json()) as { emails: Mail[] };
    const account = new Account(emails, barksIn(target.directory, 'MailFailed'));
    const entries: string[] = [];
    for (const dog of [...barking, ...steady, ...restless]) {
      const stored = await storedOf(target, dog);
      entries.push(...stored.history.map(({ id }) => id));
      if (steady.includes(dog)) account.addOccurrences(dog, stored, due);
      else
        account.addBarks(restless.includes(dog) ? 'immediate barks of new schedules' : 'barks', dog, stored);
      if (dog.sendsMail) account.addMails(dog, stored);
    }
    for (const dog of gone) if (dog.stored) account.addBarks('barks of deleted dogs', dog, dog.stored);
    for (const id of new Set(gone.map((dog) => dog.id)))
      account.add('items of deleted dogs', `item of ${id}`, (await itemsOf(target.directory, id)).length, 0);
    for (const [key, mails] of account.inbox)
      if (!account.seen.has(key)) account.add('mails of barks', `mail "${key}"`, mails.length, 0);
    const names = [...barking, ...steady, ...restless].map(({ id }) => id);
    account.addEach('events', 'the service', await eventsOf(target, names, entries), entries);
    return account;
  }

  table(): Table {
    return {
      title: 'What clients know, and what was found',
      columns: ['', ...columns],
      rows: Object.entries(this.lines).map(([what, line]) => [what, ...columns.map((name) => line[name])]),
    };
  }

  /** Adds something that must exist at least `least` and at most `most` times. */
  private add(what: string, name: string, found: number, least: number, most = least): void {
    this.lines[what] ??= { required: 0, uncertain: 0, found: 0, lost: 0, 'too often': 0 };
    const line = this.lines[what];
    line.required += least;
    line.uncertain += most - least;
    line.found += found;
    line.lost += Math.max(0, least - found);
    line['too often'] += Math.max(0, found - most);
    if (found < least || found > most)
      this.faults.push(`${what}: ${name} was found ${found} times instead of ${least} to ${most} times.`);
  }

  /** Adds things with IDs. Each of the required ones must exist once. */
  private addEach(what: string, of: string, found: readonly string[], required: readonly string[]): void {
    const [times, ids] = [countsOf(found), new Set(required)];
    for (const id of new Set([...required, ...found]))
      this.add(what, `${id} of ${of}`, times.get(id) ?? 0, ids.has(id) ? 1 : 0);
  }

  /** Each bark with a known ID must be stored once if it happened. The others are only counted. */
  private addBarks(what: string, dog: LoadDog, stored: Stored): void {
    const times = countsOf(stored.history.map(({ id }) => id));
    const ended = ['complete', 'failed', 'cancelled'];
    let [nameless, uncertain] = [dog.schedules, 0];
    for (const { bark, isAsync, inHistory, outcome, cancelled } of dog.attempts) {
      const { status = 'missing' } = stored.barks.get(bark ?? '') ?? {};
      if (isAsync && bark !== undefined) {
        const isRight = cancelled ? status === 'cancelled' : ended.includes(status);
        this.add('asynchronous barks that ended', `the bark ${bark} of ${dog.id}`, isRight ? 1 : 0, 1);
      }
      if (!inHistory) continue;
      if (bark === undefined) {
        if (outcome === 'acknowledged') nameless += 1;
        else if (outcome !== 'refused') uncertain += 1;
        continue;
      }
      const happened = !isAsync || status === 'complete';
      this.add(what, `the bark ${bark} of ${dog.id}`, times.get(bark) ?? 0, happened ? 1 : 0);
      times.delete(bark);
    }
    const rest = [...times.values()].reduce((sum, number) => sum + number, 0);
    this.add(what, `a bark of ${dog.id} without a known ID`, rest, nameless, nameless + uncertain);
    this.addNumbers(dog, stored);
  }

  private addOccurrences(dog: LoadDog, stored: Stored, due: number): void {
    const times = countsOf(stored.history.map(({ timestamp }) => timestamp));
    const possible = dog.occurrences(Date.now() / 1000);
    for (const time of new Set([...possible, ...times.keys()])) {
      const most = possible.includes(time) ? 1 : 0;
      const name = `the occurrence ${time} of ${dog.id}`;
      this.add('scheduled barks', name, times.get(time) ?? 0, time <= due ? most : 0, most);
    }
    this.addNumbers(dog, stored);
  }

  /** Compares the count and the list of barks with the history. */
  private addNumbers({ id, isCounted }: LoadDog, { barking, count, history, listed }: Stored): void {
    if (barking) this.faults.push(`A bark of ${id} has not ended.`);
    this.add('counts', `a counted bark of ${id}`, count, isCounted ? history.length : 0);
    const recorded = history.filter(({ isRecorded }) => isRecorded).map((entry) => entry.id);
    this.addEach('records', id, listed, recorded);
  }

  /** Adds the emails of a dog. An email contains the unique text of its request or, for a schedule, the dog and the time. */
  private addMails(dog: LoadDog, { history, barks }: Stored): void {
    for (const attempt of dog.attempts) {
      const { status, reason } = barks.get(attempt.bark ?? '') ?? {};
      const isSent = attempt.outcome === 'acknowledged' && (!attempt.isAsync || status === 'complete');
      const maybe = isSent || isUnknown(attempt) || reason === unknownReason;
      const name = `the mail "${attempt.message}" of ${dog.id}`;
      this.add('mails of barks', name, this.mails(attempt.message), isSent ? 1 : 0, maybe ? 1 : 0);
    }
    if (dog.attempts.length > 0) return;
    let excused = dog.unknown;
    for (const [timestamp, entries] of Map.groupBy(history, (entry) => entry.timestamp)) {
      const key = occurrenceKey(dog.id, new Date(timestamp * 1000).toISOString());
      const found = this.mails(key);
      const required = entries.filter(({ id }) => !this.failed.has(id)).length;
      const missing = Math.min(excused, Math.max(0, required - found));
      excused -= missing;
      this.add('mails of schedules', `the mail of ${key}`, found, required - missing, entries.length);
    }
  }

  private mails(key: string): number {
    this.seen.add(key);
    return this.inbox.get(key)?.length ?? 0;
  }
}

function countsOf<Key>(keys: readonly Key[]): Map<Key, number> {
  const counts = new Map<Key, number>();
  for (const key of keys) counts.set(key, (counts.get(key) ?? 0) + 1);
  return counts;
}

/** Returns the key of an email: the client's message or, if there is none, the dog and the time. */
function keyOf({ text, html }: Mail['body']): string {
  const [message = ''] = text.split('\n');
  const [, dog = '', time = ''] = /The dog (\S+) barked on <time datetime="(\S+)">/.exec(html) ?? [];
  return message === 'Woof!' ? occurrenceKey(dog, time) : message;
}

function occurrenceKey(dog: string, time: string): string {
  return `${dog} at ${time}`;
}

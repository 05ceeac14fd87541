import type { Table } from '../../tools/table.ts';
import { itemsOf } from '../start/tables.ts';
import type { Mail } from '../support/client.ts';
import {
  type BarkAttempt,
  type Dogs,
  isUnknown,
  type LoadDog,
  type RestlessDog,
  type SteadyDog,
} from './dogs.ts';
import { barksIn } from './logs.ts';
import { MailAccount } from './mail-account.ts';
import { type Stored, storedOf } from './stored.ts';
import type { Target } from './target.ts';

const names = ['acknowledged', 'unknown', 'in history', 'counted', 'recorded', 'lost', 'doubled'] as const;
type Name = (typeof names)[number];

/** The acknowledged and the stored barks of one kind of dog. */
type Line = Readonly<Record<Name, number>>;

interface Comparison {
  readonly acknowledged: number;
  readonly unknown: number;
  readonly lost: readonly string[];
  readonly doubled: readonly string[];
}

/** Compares the acknowledged requests with the stored data, and collects the differences. */
export class Account {
  /** Descriptions of the differences. */
  readonly faults: string[] = [];
  private readonly lines: Record<string, Line> = {};
  private readonly ends: Record<string, number> = { accepted: 0, complete: 0, failed: 0, cancelled: 0 };
  private readonly mails: MailAccount;

  private constructor(mails: MailAccount) {
    this.mails = mails;
  }

  /** @param due the time up to which occurrences must have made dogs bark, in Unix seconds */
  static async of(target: Target, dogs: Dogs, due: number): Promise<Account> {
    const { emails } = (await (await fetch(target.access.mail_url ?? '')).json()) as { emails: Mail[] };
    const account = new Account(new MailAccount(emails, barksIn(target.directory, 'MailFailed')));
    for (const dog of dogs.barking) account.addBarking(dog, await storedOf(target, dog));
    for (const dog of dogs.gone) account.addBarks('barks of deleted dogs', dog, dog.stored);
    for (const dog of dogs.steady) account.addSteady(dog, await storedOf(target, dog), due);
    for (const dog of dogs.restless) account.addRestless(dog, await storedOf(target, dog));
    for (const id of new Set(dogs.gone.map((dog) => dog.id))) {
      const left = await itemsOf(target.directory, id);
      if (left.length > 0) account.faults.push(`The deleted dogs ${id} still have ${left.length} items.`);
    }
    account.faults.push(...account.mails.close());
    return account;
  }

  tables(): Table[] {
    return [
      {
        title: 'Acknowledged and stored barks',
        columns: ['', ...names],
        rows: Object.entries(this.lines).map(([what, line]) => [what, ...names.map((name) => line[name])]),
      },
      {
        title: 'Acknowledged asynchronous barks, by their final status',
        columns: Object.keys(this.ends),
        rows: [Object.values(this.ends)],
      },
      this.mails.table(),
    ];
  }

  totals(): Pick<Line, 'lost' | 'doubled'> {
    const sum = (name: Name) => Object.values(this.lines).reduce((total, line) => total + line[name], 0);
    return { lost: sum('lost'), doubled: sum('doubled') };
  }

  private addBarking(dog: LoadDog, stored: Stored): void {
    this.addBarks('barks', dog, stored);
    // A bark whose acceptance got no response may be among the pending barks.
    if (stored.barking) this.faults.push(`A bark of ${dog.id} has not ended.`);
    for (const { bark, isAsync, cancelled, end: { status } = { status: 'unknown' } } of dog.attempts) {
      if (!isAsync || bark === undefined) continue;
      this.ends.accepted = (this.ends.accepted ?? 0) + 1;
      this.ends[status] = (this.ends[status] ?? 0) + 1;
      if (!['complete', 'failed', 'cancelled'].includes(status) || (cancelled && status !== 'cancelled'))
        this.faults.push(`The bark ${bark} of ${dog.id}${cancelled ? ', cancelled,' : ''} is ${status}.`);
    }
    if (dog.sendsMail) this.mails.addBarks(dog);
  }

  /**
   * Adds the barks of a dog. Each acknowledged bark with an ID must be stored once. The number of stored barks without an ID
   * must be the number of acknowledged ones, plus at most the number of barks with an unknown outcome.
   */
  private addBarks(what: string, dog: LoadDog, stored: Stored): void {
    const inHistory = dog.attempts.filter((attempt) => attempt.inHistory);
    const isDone = ({ isAsync, end }: BarkAttempt) => !isAsync || end?.status === 'complete';
    const acknowledged = inHistory.filter((attempt) => attempt.outcome === 'acknowledged');
    const done = acknowledged.filter(isDone);
    const named = done.flatMap(({ bark }) => bark ?? []);
    const nameless = done.length - named.length;
    const unknown = inHistory.filter(isUnknown).length;

    const times = Map.groupBy(stored.history, (entry) => entry.id);
    const timesOf = (bark: string) => times.get(bark)?.length ?? 0;
    const rest = stored.history.length - named.reduce((sum, bark) => sum + timesOf(bark), 0);
    const undone = acknowledged.filter((attempt) => !isDone(attempt)).flatMap(({ bark }) => bark ?? []);
    const none = Math.max(0, nameless - rest);
    const more = Math.max(0, rest - nameless - unknown);
    this.add(what, dog, stored, {
      acknowledged: done.length,
      unknown,
      lost: [...named.filter((bark) => timesOf(bark) === 0), ...Array<string>(none).fill('a bark')],
      doubled: [
        ...named.flatMap((bark) => Array<string>(Math.max(0, timesOf(bark) - 1)).fill(bark)),
        ...undone.filter((bark) => timesOf(bark) > 0),
        ...Array<string>(more).fill('a bark'),
      ],
    });
  }

  private addSteady(dog: SteadyDog, stored: Stored, until: number): void {
    const times = stored.history.map(({ timestamp }) => timestamp);
    const due = dog.occurrences(until);
    const possible = dog.occurrences(Date.now() / 1000);
    this.add('scheduled barks', dog, stored, {
      acknowledged: due.length,
      unknown: 0,
      lost: due.filter((scheduledAt) => !times.includes(scheduledAt)).map(String),
      doubled: times.filter((time, i) => times.indexOf(time) !== i || !possible.includes(time)).map(String),
    });
    if (dog.sendsMail) this.mails.addHistory('scheduled barks', dog.id, stored.history, 0);
  }

  private addRestless(dog: RestlessDog, stored: Stored): void {
    const { history } = stored;
    this.add('immediate barks of new schedules', dog, stored, {
      acknowledged: dog.applied,
      unknown: 0,
      lost: Array<string>(Math.max(0, dog.applied - history.length)).fill('a bark'),
      doubled: Array<string>(Math.max(0, history.length - dog.applied)).fill('a bark'),
    });
    if (dog.sendsMail)
      this.mails.addHistory('immediate barks of new schedules', dog.id, history, dog.unknown);
  }

  /** Adds the figures of a dog to a line, and compares its count and its list of barks with its history. */
  private add(
    what: string,
    dog: LoadDog,
    { count, history, listed }: Stored,
    { lost, doubled, ...figuresOfRequests }: Comparison,
  ): void {
    const counting = dog.isCounted ? history.length : 0;
    const recorded = history.filter(({ isRecorded }) => isRecorded).map((entry) => entry.id);
    const allLost = [
      ...lost,
      ...recorded.filter((bark) => !listed.includes(bark)),
      ...Array<string>(Math.max(0, counting - count)).fill('a count'),
    ];
    const allDoubled = [
      ...doubled,
      ...listed.filter((bark, i) => listed.indexOf(bark) !== i || !recorded.includes(bark)),
      ...Array<string>(Math.max(0, count - counting)).fill('a count'),
    ];
    for (const one of allLost) this.faults.push(`${dog.id} has lost ${one}.`);
    for (const one of allDoubled) this.faults.push(`${dog.id} has ${one} too often.`);
    const figures: Line = {
      ...figuresOfRequests,
      'in history': history.length,
      counted: count,
      recorded: listed.length,
      lost: allLost.length,
      doubled: allDoubled.length,
    };
    const line = this.lines[what];
    this.lines[what] = line
      ? (Object.fromEntries(names.map((name) => [name, line[name] + figures[name]])) as Record<Name, number>)
      : figures;
  }
}

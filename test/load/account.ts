import type { Table } from '../../tools/table.ts';
import { itemsOf } from '../start/tables.ts';
import type { Mail } from '../support/client.ts';
import { type Ask, type Dogs, isUnknown, type LoadDog, type RestlessDog, type SteadyDog } from './dogs.ts';
import { barksIn } from './logs.ts';
import { MailAccount } from './mail-account.ts';
import { type Stored, storedOf } from './stored.ts';
import type { Target } from './target.ts';

const names = ['acknowledged', 'unknown', 'noted', 'counted', 'recorded', 'lost', 'doubled'] as const;
type Name = (typeof names)[number];

/** What dogs of one sort should have done, and what is stored of it. */
type Line = Readonly<Record<Name, number>>;

interface Asked {
  readonly acknowledged: number;
  readonly unknown: number;
  readonly lost: readonly string[];
  readonly doubled: readonly string[];
}

/** Compares what was acknowledged with what is stored. */
export class Account {
  /** Each difference, in words. */
  readonly faults: string[] = [];
  private readonly lines: Record<string, Line> = {};
  private readonly ends: Record<string, number> = { accepted: 0, complete: 0, failed: 0, cancelled: 0 };
  private readonly mails: MailAccount;

  private constructor(mails: MailAccount) {
    this.mails = mails;
  }

  /** @param due until when slots are to have barked, in Unix seconds */
  static async of(target: Target, dogs: Dogs, due: number): Promise<Account> {
    const { emails } = (await (await fetch(target.access.mail_url ?? '')).json()) as { emails: Mail[] };
    const account = new Account(new MailAccount(emails, barksIn(target.directory, 'MailFailed')));
    for (const dog of dogs.barking) account.addBarking(dog, await storedOf(target, dog));
    for (const dog of dogs.gone) account.addBarks('barks of dogs that were deleted', dog, dog.stored);
    for (const dog of dogs.steady) account.addSteady(dog, await storedOf(target, dog), due);
    for (const dog of dogs.restless) account.addRestless(dog, await storedOf(target, dog));
    for (const id of new Set(dogs.gone.map((dog) => dog.id))) {
      const left = await itemsOf(target.directory, id);
      if (left.length > 0) account.faults.push(`The deleted dogs ${id} left ${left.length} items.`);
    }
    account.faults.push(...account.mails.close());
    return account;
  }

  tables(): Table[] {
    return [
      {
        title: 'What was acknowledged, and what is stored',
        columns: ['', ...names],
        rows: Object.entries(this.lines).map(([what, line]) => [what, ...names.map((name) => line[name])]),
      },
      {
        title: 'Asynchronous barks that were acknowledged, and how they ended',
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
    // One whose acceptance nobody heard of may be among those that are pending.
    if (stored.barking) this.faults.push(`A bark of ${dog.id} has come to no end.`);
    for (const { bark, later, cancelled, end: { status } = { status: 'unknown' } } of dog.asks) {
      if (!later || bark === undefined) continue;
      this.ends.accepted = (this.ends.accepted ?? 0) + 1;
      this.ends[status] = (this.ends[status] ?? 0) + 1;
      if (!['complete', 'failed', 'cancelled'].includes(status) || (cancelled && status !== 'cancelled'))
        this.faults.push(`The bark ${bark} of ${dog.id}${cancelled ? ', cancelled,' : ''} is ${status}.`);
    }
    if (dog.sendsMail) this.mails.addBarks(dog);
  }

  /** Those with a name must be there once; of the others as many as were acknowledged, or a few more that may be. */
  private addBarks(what: string, dog: LoadDog, stored: Stored): void {
    const noted = dog.asks.filter((ask) => ask.noted);
    const isDone = ({ later, end }: Ask) => !later || end?.status === 'complete';
    const acknowledged = noted.filter((ask) => ask.outcome === 'acknowledged');
    const done = acknowledged.filter(isDone);
    const named = done.flatMap(({ bark }) => bark ?? []);
    const nameless = done.length - named.length;
    const unknown = noted.filter(isUnknown).length;

    const times = Map.groupBy(stored.notes, (note) => note.id);
    const timesOf = (bark: string) => times.get(bark)?.length ?? 0;
    const rest = stored.notes.length - named.reduce((sum, bark) => sum + timesOf(bark), 0);
    const undone = acknowledged.filter((ask) => !isDone(ask)).flatMap(({ bark }) => bark ?? []);
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
    const times = stored.notes.map(({ timestamp }) => timestamp);
    const due = dog.slots(until);
    const possible = dog.slots(Date.now() / 1000);
    this.add('slots of schedules', dog, stored, {
      acknowledged: due.length,
      unknown: 0,
      lost: due.filter((slot) => !times.includes(slot)).map(String),
      doubled: times.filter((time, i) => times.indexOf(time) !== i || !possible.includes(time)).map(String),
    });
    if (dog.sendsMail) this.mails.addNotes('slots of schedules', dog.id, stored.notes, 0);
  }

  private addRestless(dog: RestlessDog, stored: Stored): void {
    const { notes } = stored;
    this.add('schedules set, with a bark at once', dog, stored, {
      acknowledged: dog.applied,
      unknown: 0,
      lost: Array<string>(Math.max(0, dog.applied - notes.length)).fill('a bark'),
      doubled: Array<string>(Math.max(0, notes.length - dog.applied)).fill('a bark'),
    });
    if (dog.sendsMail) this.mails.addNotes('schedules set', dog.id, notes, dog.unknown);
  }

  /** Adds a dog's figures to a line, and looks whether its count and its list agree with its notes. */
  private add(
    what: string,
    dog: LoadDog,
    { count, notes, listed }: Stored,
    { lost, doubled, ...asked }: Asked,
  ): void {
    const counting = dog.isCounted ? notes.length : 0;
    const recorded = notes.filter(({ isRecorded }) => isRecorded).map((note) => note.id);
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
    for (const one of allDoubled) this.faults.push(`${dog.id} has ${one} once too often.`);
    const figures: Line = {
      ...asked,
      noted: notes.length,
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

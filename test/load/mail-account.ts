import type { Table } from '../../tools/table.ts';
import type { Mail } from '../support/client.ts';
import { type Ask, isUnknown, type LoadDog } from './dogs.ts';
import type { Note } from './stored.ts';

/** What became of the mails of barks of one sort. */
interface Line {
  sent: number;
  /** Not sent, and somebody was told. */
  notSent: number;
  /** Somebody was told that they may have been sent. */
  unknown: number;
  unknownSent: number;
  silent: number;
  /** Sent, though somebody was told that they were not. */
  belied: number;
  twice: number;
}

/** What a bark fails with whose mail was under way when its function died. */
const doubt = 'Its mail may have been sent.';

/** Compares the mails that were promised with those in the inbox. */
export class MailAccount {
  private readonly faults: string[] = [];
  private readonly lines: Record<string, Line> = {};
  private readonly inbox: ReadonlyMap<string, readonly Mail[]>;
  /** The texts of the mails that are accounted for. */
  private readonly seen = new Set<string>();
  private readonly failed: ReadonlySet<string>;

  /** @param failed the ids of the barks whose failed mail was logged */
  constructor(mails: readonly Mail[], failed: ReadonlySet<string>) {
    this.inbox = Map.groupBy(mails, ({ body }) => keyOf(body.text));
    this.failed = failed;
  }

  /** The mails of the barks that clients asked of a dog. Each says what no other says. */
  addBarks({ id, asks }: LoadDog): void {
    for (const ask of asks) {
      const line = this.lineOf(ask.later ? 'barks, asynchronous' : 'barks');
      const found = this.count(ask.message);
      const fate = fateOf(ask);
      if (found > 1)
        this.note(line, 'twice', found - 1, `The mail "${ask.message}" of ${id} was sent ${found} times.`);
      if (fate === 'sent' && found === 0)
        this.note(line, 'silent', 1, `The mail "${ask.message}" of ${id} was not sent.`);
      else if (fate === 'notSent' && found > 0)
        this.note(line, 'belied', 1, `The mail "${ask.message}" of ${id} was sent, and should not be.`);
      else line[fate] += 1;
      if (fate === 'unknown' && found > 0) line.unknownSent += 1;
    }
  }

  /** The mails of barks that schedules made. Each says its slot, which several schedules of a dog may have. */
  addNotes(what: string, dog: string, notes: readonly Note[], unknown: number): void {
    const line = this.lineOf(what);
    let doubtful = unknown;
    for (const [timestamp, ofSlot] of Map.groupBy(notes, (note) => note.timestamp)) {
      const slot = new Date(timestamp * 1000).toISOString();
      const found = this.count(slotKey(dog, slot));
      const told = ofSlot.filter(({ id }) => this.failed.has(id)).length;
      const missing = Math.max(0, ofSlot.length - found);
      const excused = Math.min(doubtful, Math.max(0, missing - told));
      doubtful -= excused;
      const silent = Math.max(0, missing - told - excused);
      line.sent += ofSlot.length - missing;
      line.notSent += Math.min(told, missing);
      line.unknown += excused;
      this.note(line, 'silent', silent, `${dog} sent ${found} of ${ofSlot.length} mails of ${slot}.`);
      const twice = Math.max(0, found - ofSlot.length);
      this.note(line, 'twice', twice, `${dog} sent ${found} mails of ${slot} instead of ${ofSlot.length}.`);
    }
  }

  /** What is wrong with the mails; all that there are to be have been added. */
  close(): string[] {
    const strange = [...this.inbox.keys()].filter((key) => !this.seen.has(key));
    return [...this.faults, ...strange.map((key) => `Nothing asked for the mail "${key}".`)];
  }

  table(): Table {
    const rows = Object.entries(this.lines).map(
      ([what, { sent, notSent, unknown, unknownSent, silent, belied, twice }]) => [
        what,
        ...[sent, notSent, unknown, unknownSent, silent, belied, twice],
      ],
    );
    return {
      title: 'Mail, as those who asked know it, and as the inbox has it',
      columns: [
        '',
        'sent once',
        'not sent, told',
        'unknown, told',
        'of these sent',
        'silently not',
        'sent, told not',
        'twice',
      ],
      rows,
    };
  }

  private lineOf(what: string): Line {
    this.lines[what] ??= { sent: 0, notSent: 0, unknown: 0, unknownSent: 0, silent: 0, belied: 0, twice: 0 };
    return this.lines[what];
  }

  private count(key: string): number {
    this.seen.add(key);
    return this.inbox.get(key)?.length ?? 0;
  }

  private note(line: Line, figure: 'silent' | 'belied' | 'twice', times: number, fault: string): void {
    line[figure] += times;
    if (times > 0) this.faults.push(fault);
  }
}

/** What tells a mail from others: what the client had it say, or else the dog and the time. */
function keyOf(text: string): string {
  const [message = ''] = text.split('\n');
  const [, dog = '', time = ''] = /The dog (\S+) barked at (\S+)\.\n$/.exec(text) ?? [];
  return message === 'Woof!' ? slotKey(dog, time) : message;
}

function slotKey(dog: string, time: string): string {
  return `${dog} at ${time}`;
}

/** What the client of a bark was told of its mail. */
function fateOf(ask: Ask): 'sent' | 'notSent' | 'unknown' {
  if (isUnknown(ask)) return 'unknown';
  if (ask.outcome === 'refused') return 'notSent';
  if (!ask.later || ask.end?.status === 'complete') return 'sent';
  return ask.end?.reason === doubt ? 'unknown' : 'notSent';
}

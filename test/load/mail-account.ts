import type { Table } from '../../tools/table.ts';
import type { Mail } from '../support/client.ts';
import { type BarkAttempt, isUnknown, type LoadDog } from './dogs.ts';
import type { HistoryEntry } from './stored.ts';

/** The numbers of mails for one kind of bark, by the fate of the mail. */
interface Line {
  sent: number;
  /** Not sent, and reported as such. */
  notSent: number;
  /** Reported as possibly sent. */
  unknown: number;
  unknownSent: number;
  /** Not sent, and not reported. */
  silent: number;
  /** Sent, but reported as not sent. */
  misreported: number;
  twice: number;
}

/** The reason that a bark has if it failed because its function died while it was sending the mail. */
const unknownReason = 'The mail may have been sent.';

/** Compares the mails that the responses report with the mails in the inbox. */
export class MailAccount {
  private readonly faults: string[] = [];
  private readonly lines: Record<string, Line> = {};
  private readonly inbox: ReadonlyMap<string, readonly Mail[]>;
  /** The keys of the mails that belong to a bark. */
  private readonly seen = new Set<string>();
  private readonly failed: ReadonlySet<string>;

  /** @param failed the IDs of the barks for which a failed mail was logged */
  constructor(mails: readonly Mail[], failed: ReadonlySet<string>) {
    this.inbox = Map.groupBy(mails, ({ body }) => keyOf(body));
    this.failed = failed;
  }

  /** Adds the mails of the barks that clients requested of a dog. Each text is unique. */
  addBarks({ id, attempts }: LoadDog): void {
    for (const attempt of attempts) {
      const line = this.lineOf(attempt.isAsync ? 'barks, asynchronous' : 'barks');
      const found = this.count(attempt.message);
      const fate = fateOf(attempt);
      if (found > 1)
        this.record(
          line,
          'twice',
          found - 1,
          `The mail "${attempt.message}" of ${id} was sent ${found} times.`,
        );
      if (fate === 'sent' && found === 0)
        this.record(line, 'silent', 1, `The mail "${attempt.message}" of ${id} was not sent.`);
      else if (fate === 'notSent' && found > 0)
        this.record(
          line,
          'misreported',
          1,
          `The mail "${attempt.message}" of ${id} was sent, but was reported as not sent.`,
        );
      else line[fate] += 1;
      if (fate === 'unknown' && found > 0) line.unknownSent += 1;
    }
  }

  /** Adds the mails of scheduled barks. Each mail contains its time, at which several schedules of a dog can have occurrences. */
  addHistory(what: string, dog: string, history: readonly HistoryEntry[], unknown: number): void {
    const line = this.lineOf(what);
    let unexplained = unknown;
    for (const [timestamp, entries] of Map.groupBy(history, (entry) => entry.timestamp)) {
      const time = new Date(timestamp * 1000).toISOString();
      const found = this.count(occurrenceKey(dog, time));
      const reported = entries.filter(({ id }) => this.failed.has(id)).length;
      const missing = Math.max(0, entries.length - found);
      const excused = Math.min(unexplained, Math.max(0, missing - reported));
      unexplained -= excused;
      const silent = Math.max(0, missing - reported - excused);
      line.sent += entries.length - missing;
      line.notSent += Math.min(reported, missing);
      line.unknown += excused;
      this.record(line, 'silent', silent, `${dog} sent ${found} of ${entries.length} mails of ${time}.`);
      const twice = Math.max(0, found - entries.length);
      this.record(
        line,
        'twice',
        twice,
        `${dog} sent ${found} mails of ${time} instead of ${entries.length}.`,
      );
    }
  }

  /** Returns the defects, after all expected mails have been added. */
  close(): string[] {
    const strange = [...this.inbox.keys()].filter((key) => !this.seen.has(key));
    return [...this.faults, ...strange.map((key) => `No bark belongs to the mail "${key}".`)];
  }

  table(): Table {
    const rows = Object.entries(this.lines).map(
      ([what, { sent, notSent, unknown, unknownSent, silent, misreported, twice }]) => [
        what,
        ...[sent, notSent, unknown, unknownSent, silent, misreported, twice],
      ],
    );
    return {
      title: 'Mail, by the reported result and the content of the inbox',
      columns: [
        '',
        'sent once',
        'not sent, reported',
        'unknown, reported',
        'sent, of these',
        'not sent, not reported',
        'sent, reported as not sent',
        'sent twice',
      ],
      rows,
    };
  }

  private lineOf(what: string): Line {
    this.lines[what] ??= {
      sent: 0,
      notSent: 0,
      unknown: 0,
      unknownSent: 0,
      silent: 0,
      misreported: 0,
      twice: 0,
    };
    return this.lines[what];
  }

  private count(key: string): number {
    this.seen.add(key);
    return this.inbox.get(key)?.length ?? 0;
  }

  private record(line: Line, figure: 'silent' | 'misreported' | 'twice', times: number, fault: string): void {
    line[figure] += times;
    if (times > 0) this.faults.push(fault);
  }
}

/** Returns the key of a mail: the client's message or, if there is none, the dog and the time. */
function keyOf({ text, html }: Mail['body']): string {
  const [message = ''] = text.split('\n');
  const [, dog = '', time = ''] = /The dog (\S+) barked on <time datetime="(\S+)">/.exec(html) ?? [];
  return message === 'Woof!' ? occurrenceKey(dog, time) : message;
}

function occurrenceKey(dog: string, time: string): string {
  return `${dog} at ${time}`;
}

/** Returns the fate of a bark's mail as its client knows it. */
function fateOf(attempt: BarkAttempt): 'sent' | 'notSent' | 'unknown' {
  if (isUnknown(attempt)) return 'unknown';
  if (attempt.outcome === 'refused') return 'notSent';
  if (!attempt.isAsync || attempt.end?.status === 'complete') return 'sent';
  return attempt.end?.reason === unknownReason ? 'unknown' : 'notSent';
}

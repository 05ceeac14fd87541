import { styleText } from 'node:util';
import { type Activity, onActivity } from '@rest-actions/local-cloud/platform';
import { printableJson } from '../printable.ts';
import { type LineOptions, linesOf, type Paint } from './activity-lines.ts';
import { Lines, type OutputStream } from './lines.ts';
import { type Log, logTextOf } from './log-text.ts';
import { PendingLogs } from './pending-logs.ts';

/**
 * What the terminal shows.
 *
 * - `lines`: a line for each activity except routine logs. Equal reads in a row, such as the console's, share a line and a count.
 * - `verbose`: a line for each activity, including routine logs and each of several equal reads.
 * - `quiet`: only messages, server errors, logged errors and reload errors.
 * - `json`: each activity as one line of JSON.
 */
export type Output = 'lines' | 'verbose' | 'quiet' | 'json';

/** An activity whose log text, if it has one, is parsed. */
type Shown = Parameters<typeof linesOf>[0];

export class Terminal {
  private readonly output: Output;
  private readonly lines: Lines;
  private readonly options: LineOptions;
  private readonly pendingLogs = new PendingLogs((log) => this.write(log));
  private isReady = false;

  constructor(
    output: Output,
    { stream, ...paths }: { stream: OutputStream } & Pick<LineOptions, 'logFileOf' | 'sourcePosition'>,
  ) {
    this.output = output;
    this.lines = new Lines(stream);
    // The service outlives the reader of a pipe, such as `head`.
    stream.on('error', () => {});
    // Honors NO_COLOR and FORCE_COLOR. Otherwise, uses color only on a terminal.
    const paint: Paint = (style, text) => styleText(style, text, { stream });
    this.options = { ...paths, paint, isVerbose: output === 'verbose' };
  }

  /**
   * Until `ready` is called, prints only what `quiet` shows. From then on, prints what the chosen output shows, with the time.
   *
   * @returns a function that stops printing
   */
  listen(): () => void {
    return onActivity((activity) => this.show(activity));
  }

  ready(): void {
    this.isReady = true;
  }

  /** Notes that the user has moved the cursor to another line. */
  typed(): void {
    this.lines.endRun();
  }

  /** Prints text for people, or the same facts as one JSON line. */
  print(text: (paint: Paint) => string, facts: { readonly type: string }): void {
    if (this.output === 'json') this.printJson(facts);
    else this.lines.write([text(this.options.paint)]);
  }

  private show(reported: Activity): void {
    const activity = reported.type === 'log' ? { ...reported, ...logTextOf(reported.text) } : reported;
    const isShown = this.isShown(activity);
    if (this.output === 'json') {
      if (isShown) this.printJson(reported);
    } else if (activity.type === 'log' && activity.requestId !== undefined) {
      if (isShown) this.pendingLogs.add(activity.requestId, activity);
    } else {
      const logs = activity.type === 'request' ? this.pendingLogs.take(activity.requestId) : [];
      if (isShown) this.write(activity, logs);
      else for (const log of logs) this.write(log);
    }
  }

  private isShown(activity: Shown): boolean {
    if (!this.isReady || this.output === 'quiet') return isImportant(activity);
    return this.output !== 'lines' || activity.type !== 'log' || !activity.isRoutine;
  }

  private write(activity: Shown, logs: readonly Log[] = []): void {
    const key = logs.length === 0 ? this.readOf(activity) : undefined;
    this.lines.write(this.timed(linesOf(activity, this.options, logs)), key);
  }

  /** After `ready`, adds the time to the first line, and indents the others to match. */
  private timed([first, ...more]: readonly string[]): string[] {
    if (first === undefined) return [];
    if (!this.isReady) return [first, ...more];
    const time = new Date().toTimeString().slice(0, 8);
    const indentation = ' '.repeat(time.length + 1);
    return [`${this.options.paint('dim', time)} ${first}`, ...more.map((line) => `${indentation}${line}`)];
  }

  /** Returns what equal reads have in common. Undefined for other activities, failed reads and the output `verbose`. */
  private readOf(activity: Shown): string | undefined {
    if (this.output === 'verbose' || activity.type !== 'request') return undefined;
    const { method, path, status } = activity;
    return ['GET', 'HEAD'].includes(method) && status < 400 ? `${method} ${path} ${status}` : undefined;
  }

  private printJson(facts: object): void {
    this.lines.write([printableJson({ time: new Date().toISOString(), ...facts })]);
  }
}

function isImportant(activity: Shown): boolean {
  if (activity.type === 'message' || activity.type === 'reloadError') return true;
  if (activity.type === 'log') return activity.isError && !activity.isRoutine;
  return activity.type === 'request' && activity.status >= 500;
}

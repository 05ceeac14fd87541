import type { styleText } from 'node:util';
import type { Activity, LogActivity, RequestActivity } from '@rest-actions/local-cloud/platform';
import { printable, printableLines } from '../printable.ts';
import { type Log, linesOfLog } from './log-text.ts';

type Style = Parameters<typeof styleText>[0];

/** Adds a style to text, or returns the text unchanged. */
export type Paint = (style: Style, text: string) => string;

export interface LineOptions {
  readonly paint: Paint;
  readonly logFileOf: (functionName: string) => string;
  /** Returns the source position for a position in a bundle, or undefined if the source position is unknown. */
  readonly sourcePosition: (file: string, line: number, column: number) => string | undefined;
  /** True if a request's line also names the function. */
  readonly isVerbose: boolean;
}

const durationWidth = 8;
const methodWidth = 7;
/** The width of the status, the duration and the space between them. */
const eventWidth = 12;

const maximumNames = 6;

/**
 * Returns an activity's lines, without the time. For a failed request, a second line may explain the error.
 *
 * @param logs what a request's functions logged
 */
export function linesOf(
  activity: Exclude<Activity, LogActivity> | Log,
  options: LineOptions,
  logs: readonly Log[] = [],
): string[] {
  const { paint } = options;
  switch (activity.type) {
    case 'request':
      return requestLines(activity, logs, options);
    case 'log': {
      const [first = '', ...more] = logLines(activity, options);
      return [`${paint('dim', activity.functionName.padEnd(eventWidth))} ${first}`, ...more];
    }
    case 'coldStart':
      return [event('cold start', `${activity.functionName} in ${milliseconds(activity.durationMs)}`, paint)];
    case 'occurrence':
      return [event('occurrence', `${nameIn(activity.schedule)} at ${activity.scheduledAt}`, paint)];
    case 'invocation':
      return [event('invocation', invocationText(activity), paint)];
    case 'mail':
      return [event('mail', `to ${activity.to.join(', ')}: ${activity.subject}`, paint)];
    case 'event':
      // Another line already shows what caused the event.
      return [];
    case 'workflow':
      return [event('workflow', `${activity.execution} ${activity.state}`, paint)];
    case 'reload':
      return [
        event('reloaded', `${listOf(activity.changed)} in ${milliseconds(activity.durationMs)}`, paint),
      ];
    case 'reloadError':
      return [
        paint('red', 'The changed code cannot run. The service still runs the previous code.'),
        ...printableLines(activity.text).split('\n'),
      ];
    case 'message':
      return printableLines(activity.text).split('\n');
  }
}

function requestLines(request: RequestActivity, logs: readonly Log[], options: LineOptions): string[] {
  const { paint, isVerbose } = options;
  const { method, path, status, durationMs, functionName = 'API Gateway' } = request;
  const line = [
    paint(styleOf(status), String(status)),
    milliseconds(durationMs).padStart(durationWidth),
    paint('bold', method.padEnd(methodWidth)),
    // The path follows the columns, because a long path would shift them.
    printable(path),
    ...(isVerbose ? [paint('dim', functionName)] : []),
  ].join(' ');
  const more = explanation(request, logs, options).map((text) => paint(styleOf(status), `→ ${text}`));
  return [line, ...[...more, ...logs.flatMap((log) => logLines(log, options))].map((text) => `  ${text}`)];
}

function logLines({ level, text }: Log, { paint, sourcePosition }: LineOptions): string[] {
  const style = levelStyles[level];
  const lines = linesOfLog(text, sourcePosition).map(printable);
  return lines.map((line) => {
    if (line.startsWith('    at ')) return paint('dim', line);
    return style ? paint(style, line) : line;
  });
}

const levelStyles: Readonly<Record<string, Style>> = { WARN: 'yellow', ERROR: 'red', FATAL: 'red' };

/** Returns what is wrong with a failed request, and where to look after a server error that no displayed log explains. */
function explanation(
  { status, detail, functionName, requestId }: RequestActivity,
  logs: readonly Log[],
  { logFileOf }: LineOptions,
): string[] {
  if (status < 400) return [];
  const problem = detail === undefined ? [] : [printable(detail)];
  if (status < 500 || functionName === undefined || logs.some(({ isError }) => isError)) return problem;
  return [[...problem, `Look for ${requestId} in ${logFileOf(functionName)}.`].join(' ')];
}

function listOf(names: readonly string[]): string {
  if (names.length === 0) return 'no changes';
  const more = names.length - maximumNames;
  return [...names.slice(0, maximumNames), ...(more > 0 ? [`${more} more`] : [])].join(', ');
}

function styleOf(status: number): Style {
  if (status >= 500) return 'red';
  if (status >= 400) return 'yellow';
  return status >= 300 ? 'cyan' : 'green';
}

function invocationText({ functionName, error }: Activity & { type: 'invocation' }): string {
  return error === undefined ? functionName : `${functionName} failed: ${error}`;
}

function event(name: string, text: string, paint: Paint): string {
  return `${paint('dim', name.padEnd(eventWidth))} ${printable(text)}`;
}

function milliseconds(duration: number): string {
  return `${Math.round(duration)} ms`;
}

function nameIn(arn: string): string {
  return arn.split('/').at(-1) ?? arn;
}

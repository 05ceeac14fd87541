import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The folder with the sample events. Its README contains the expected results. */
export const eventsDirectory = join(import.meta.dirname, '../../events');

export const eventFile = (name: string) => join(eventsDirectory, `${name}.json`);

export interface Sample {
  /** The name of the function, which is also the name of the event. */
  readonly name: string;
  /** A status, `null`, `object`, or an error. */
  readonly outcome: string;
  readonly words: readonly string[];
}

/**
 * Returns all sample events, in the order in which they must be sent.
 *
 * @param as whether the service's values are filled into the events, or they are unchanged
 */
export function samples(as: 'filled' | 'unchanged'): Sample[] {
  const lines = readFileSync(join(eventsDirectory, 'README.md'), 'utf8').split('\n');
  const [, , ...rows] = lines.filter((line) => line.startsWith('|'));
  return rows.map((row) => {
    const [name = [], filled = [], unchanged = []] = row.split('|').slice(1).map(inCode);
    const [outcome = '', ...words] = as === 'unchanged' && unchanged.length > 0 ? unchanged : filled;
    return { name: name[0] ?? '', outcome, words };
  });
}

function inCode(text: string): string[] {
  return [...text.matchAll(/`([^`]+)`/g)].map(([, code = '']) => code);
}

/** The result of a function, or the type and the message of its error. */
export interface FunctionResult {
  readonly response?: unknown;
  readonly thrown?: string;
}

/** Returns the difference between a result and its row, or undefined if there is none. */
export function faultOf(
  { outcome, words }: Sample,
  { response, thrown }: FunctionResult,
): string | undefined {
  const text = thrown ?? JSON.stringify(response);
  const { statusCode = typeof response } = Object(response) as { statusCode?: number };
  const actual = response === null ? 'null' : String(statusCode);
  const isSo = thrown === undefined ? actual === outcome : thrown.startsWith(outcome);
  const missing = words.filter((word) => !text.includes(word));
  if (isSo && missing.length === 0) return undefined;
  return `${[outcome, ...missing].join(', ')} expected, not ${text}`;
}

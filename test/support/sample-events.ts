import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Where the sample events are, and what they answer. */
export const eventsDirectory = join(import.meta.dirname, '../../events');

export const eventFile = (name: string) => join(eventsDirectory, `${name}.json`);

/** What `events/README.md` tells of a sample event. */
export interface Sample {
  /** The function, and its event. */
  readonly name: string;
  /** A status, `null`, or an error. */
  readonly outcome: string;
  /** What stands in the answer besides. */
  readonly words: readonly string[];
}

/** All sample events, in the order in which they are to be sent. */
export function samples(): Sample[] {
  const lines = readFileSync(join(eventsDirectory, 'README.md'), 'utf8').split('\n');
  const [, , ...rows] = lines.filter((line) => line.startsWith('|'));
  return rows.map((row) => {
    const [, function_ = '', , answer = ''] = row.split('|');
    const [name = ''] = inCode(function_);
    const [outcome = '', ...words] = inCode(answer.replace(/; .*/, ''));
    return { name, outcome, words };
  });
}

function inCode(text: string): string[] {
  return [...text.matchAll(/`([^`]+)`/g)].map(([, code = '']) => code);
}

/** What a function answered, or the error that it threw: its type, and its message. */
export interface Answer {
  readonly answer?: unknown;
  readonly thrown?: string;
}

/** What there is to say against an answer; undefined if it is as it is told. */
export function faultOf({ outcome, words }: Sample, { answer, thrown }: Answer): string | undefined {
  const said = thrown ?? JSON.stringify(answer);
  const actual = String((answer as { statusCode?: number } | null)?.statusCode ?? answer);
  const isSo = thrown === undefined ? actual === outcome : thrown.startsWith(outcome);
  const missing = words.filter((word) => !said.includes(word));
  if (isSo && missing.length === 0) return undefined;
  return `${[outcome, ...missing].join(', ')} expected, not ${said}`;
}

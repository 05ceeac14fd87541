import { setTimeout as sleep } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import type { Api, Reply } from './api.ts';

/** What the checks work with. */
export interface Deployment {
  readonly api: Api;
  /** Credentials at the token endpoint. */
  readonly client: {
    readonly client_id: string;
    readonly client_secret: string;
    readonly refresh_token: string;
  };
  /** Creates a dog, which is deleted at the end, and returns its path, with a slash at the end. */
  newDog(settings: object): Promise<string>;
  /** Undefined for the service on this machine. */
  readonly stack: string | undefined;
  /** How long a check waits for an effect that AWS delivers later, such as an occurrence or a metric. */
  readonly longestWaitMs: number;
  readonly pollMs: number;
  /** Aborted when the user ends the command. */
  readonly signal: AbortSignal;
}

export interface Check {
  /** What a successful check proves, as a statement. */
  readonly statement: string;
  /** @throws Mismatch if the statement is false, Unproven if this environment cannot prove it */
  run(deployment: Deployment): Promise<void>;
}

/** The message states what was found and what was expected. */
export class Mismatch extends Error {}

export class Unproven extends Error {}

export function expectStatus(reply: Reply, ...expected: readonly number[]): void {
  if (expected.includes(reply.status)) return;
  throw new Mismatch(
    `${reply.request} returned ${reply.status} instead of ${expected.join(' or ')}.${detailOf(reply)}`,
  );
}

function detailOf({ body }: Reply): string {
  try {
    const { detail } = JSON.parse(body.toString());
    return typeof detail === 'string' ? ` The response says: ${detail}` : '';
  } catch {
    return '';
  }
}

export function expectNoBody({ request, status, body }: Reply): void {
  if (body.length > 0)
    throw new Mismatch(`The ${status} of ${request} has a body of ${body.length} bytes, and must have none.`);
}

/** Returns the value of a header field. @param expected undefined for any value */
export function expectField(reply: Reply, name: string, expected?: string | RegExp): string {
  const value = [reply.headers[name.toLowerCase()]].flat().join(', ');
  const isExpected = expected instanceof RegExp ? expected.test(value) : value === (expected ?? value);
  if (value !== '' && isExpected) return value;
  const found = value === '' ? `has no ${name}` : `has ${name}: ${value}`;
  const wanted = expected === undefined ? '' : ` instead of ${expected}`;
  throw new Mismatch(`The ${reply.status} of ${reply.request} ${found}${wanted}.`);
}

/** Returns the path in Location. @param expected undefined for the path of any resource of the service */
export function expectLocation(api: Api, reply: Reply, expected?: string): string {
  const path = api.pathIn(reply);
  if (path !== undefined && path === (expected ?? path)) return path;
  const wanted = expected ?? 'a resource below the base URL';
  throw new Mismatch(
    `The ${reply.status} of ${reply.request} has Location: ${reply.headers.location ?? 'none'}, which is not the URL of ${wanted}.`,
  );
}

export function documentOf(reply: Reply): Record<string, unknown> {
  try {
    return JSON.parse(reply.body.toString());
  } catch {
    throw new Mismatch(`The body of the ${reply.status} of ${reply.request} is not JSON.`);
  }
}

export function expectEqual(subject: string, actual: unknown, expected: unknown): void {
  if (!isDeepStrictEqual(actual, expected))
    throw new Mismatch(`${subject} is ${JSON.stringify(actual)} instead of ${JSON.stringify(expected)}.`);
}

/**
 * Repeats an attempt until it succeeds.
 *
 * @throws Mismatch of the last attempt, after the longest wait
 */
export async function eventually(
  { longestWaitMs, pollMs, signal }: Deployment,
  attempt: () => Promise<void>,
): Promise<void> {
  for (const start = performance.now(); ; ) {
    try {
      return await attempt();
    } catch (error) {
      if (!(error instanceof Mismatch)) throw error;
      const seconds = Math.round((performance.now() - start) / 1000);
      if (performance.now() - start >= longestWaitMs)
        throw new Mismatch(`${error.message} That was so for ${seconds} seconds.`);
    }
    await sleep(pollMs, undefined, { signal });
  }
}

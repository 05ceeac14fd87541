import { appendFileSync } from 'node:fs';
import type { Case } from './contract.ts';

/**
 * The cases that a suite of requests cannot cause, each with the reason. Unit tests cover the cases that are responses of
 * functions. The responses of API Gateway itself need no test here, because they and their descriptions come from the same
 * table.
 */
const unseen: readonly { readonly is: (one: Case) => boolean; readonly why: string }[] = [
  {
    is: ({ status, operation }) => status === 403 && operation !== 'PatchDog',
    why: 'the authorizer allows a user everything, and no request of the suite is blocked earlier',
  },
  {
    is: ({ status, operation }) => status === 413 && !takesBody.test(operation),
    why: 'an operation without a body accepts any body; API Gateway refuses bodies of about 6 MB',
  },
  {
    is: ({ status, operation }) => status === 400 && operation === 'PatchDog',
    why: 'a malformed PATCH gets 403, except one with X-HTTP-Method-Override, and API Gateway may remove that header',
  },
  { is: ({ status }) => status === 429, why: 'the suite waits until a request is no longer throttled' },
  { is: ({ status }) => status >= 500, why: 'no request makes the service fail' },
];

const takesBody = /^(Post|Put|Patch|Issue)/;

const known = new Set<string>();

/** Appends a case to the file that `SEEN_FILE` names, unless the file has it. The suite reads the file at its end. */
export function keepSeen(one: Case | undefined): void {
  const line = one && lineOf(one);
  if (!process.env.SEEN_FILE || !line || known.has(line)) return;
  known.add(line);
  appendFileSync(process.env.SEEN_FILE, `${line}\n`);
}

/** Returns the cases that tests can cause, but that no test has seen. @param lines the lines that `keepSeen` has written */
export function neverSeen(cases: readonly Case[], lines: string): string[] {
  const seen = new Set(lines.split('\n'));
  return cases.filter((one) => !seen.has(lineOf(one)) && !unseen.some(({ is }) => is(one))).map(lineOf);
}

function lineOf({ operation, status }: Case): string {
  return `${operation} ${status}`;
}

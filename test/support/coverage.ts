import { appendFileSync, readFileSync } from 'node:fs';
import type { Case } from './contract.ts';

/**
 * What a suite that only calls the service cannot bring about, and why that is so. The unit tests see the answers of the
 * functions among these; those that API Gateway gives by itself are of one table, as the description is.
 */
const unseen: readonly { readonly is: (one: Case) => boolean; readonly why: string }[] = [
  {
    is: ({ status, operation }) => status === 403 && operation !== 'PatchDog',
    why: 'the authorizer lets a user do all, and a firewall stands before a deployed stack alone',
  },
  {
    is: ({ status, operation }) => status === 413 && !takesBody.test(operation),
    why: 'an operation without a body refuses none; API Gateway itself does so from about 6 MB on',
  },
  {
    is: ({ status, operation }) => status === 400 && takesAnything.test(operation),
    why: 'only a request with X-HTTP-Method-Override is malformed, and API Gateway may remove that header',
  },
  { is: ({ status }) => status === 429, why: 'the suite waits until a request passes' },
  { is: ({ status }) => status >= 500, why: 'no request makes the service fail' },
];

const takesAnything =
  /^(PatchDog|(Get|Delete)(Bark|BarkSchedule|LastBark)(Head)?|Get(Keys|Console|OpenApi|Docs)(Head)?)$/;

const takesBody = /^(Post|Put|Patch|Issue)/;

const known = new Set<string>();

/** Has the end of the suite count what was seen: the file that `SEEN_FILE` names holds one case a line. */
export function keepSeen(one: Case | undefined): void {
  const line = one && lineOf(one);
  if (!process.env.SEEN_FILE || !line || known.has(line)) return;
  known.add(line);
  appendFileSync(process.env.SEEN_FILE, `${line}\n`);
}

/** The cases of a description that no test has seen, though one could. */
export function neverSeen(cases: readonly Case[], file: string): string[] {
  const seen = new Set(readFileSync(file, 'utf8').split('\n'));
  return cases.filter((one) => !seen.has(lineOf(one)) && !unseen.some(({ is }) => is(one))).map(lineOf);
}

function lineOf({ operation, status }: Case): string {
  return `${operation} ${status}`;
}

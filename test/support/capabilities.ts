import { appendFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Access } from '../../tools/service.ts';
import { type ApiResponse, Client, documentOf, header, type Problem, TestDogs } from './client.ts';
import { readAgain } from './read-again.ts';

/** How long events of SES may take to arrive, in milliseconds. */
const eventDeadlineMs = 30_000;

/**
 * What the environment of a service can lack, each with a probe that returns true if the environment has it. Third-party emulators
 * of AWS differ from AWS mostly in these. A deployment on AWS can lack only those in `optional`.
 */
const probes = {
  /** SES refuses all mail from a sender that it has not verified. */
  mail: sendsMail,
  'bounces and complaints of the mailbox simulator of SES': async (access) =>
    (await sendsMail(access)) && (await suspendsBouncedAddress(access)),
  compression: async ({ base_url }) => {
    const response = await readAgain(fetch)(`${base_url}/openapi.json`, {
      headers: { 'Accept-Encoding': 'gzip' },
    });
    return response.headers.get('Content-Encoding') === 'gzip';
  },
  'the codings of requests': async ({ base_url }) => {
    const headers = { 'Content-Type': 'application/json', 'Content-Encoding': 'br' };
    return (
      (await fetch(`${base_url}/oauth2/v4/token`, { method: 'POST', headers, body: '{}' })).status === 415
    );
  },
  '%2F in a path': (access) => decodes('a%2Fb', 'a/b', access),
  '%0D%0A in a path': (access) => decodes('a%0d%0ab', 'a\r\nb', access),
  "the request ID in API Gateway's own responses": async ({ base_url }) =>
    !(await (await readAgain(fetch)(`${base_url}/v1/dogs/`)).text()).includes('$context'),
} satisfies Readonly<Record<string, (access: Access) => Promise<boolean>>>;

export type Capability = keyof typeof probes;

/** In the sandbox, SES sends only to verified addresses, and AWS documents contradictory rules for the codings of small requests. */
const optional: readonly Capability[] = ['mail', 'the codings of requests'];

/** @param isStrict true if the environment must have everything that is not optional, so that the tests fail otherwise */
export async function findMissing(access: Access, isStrict: boolean): Promise<Capability[]> {
  const all = (Object.keys(probes) as Capability[]).filter((name) => !isStrict || optional.includes(name));
  const has = await Promise.all(all.map((name) => probes[name](access)));
  return all.filter((_, i) => !has[i]);
}

/** Makes `lacks` return true for these capabilities in all processes of the run. */
export function keepMissing(capabilities: readonly Capability[]): void {
  process.env.LACKS = JSON.stringify(capabilities);
}

/** Returns what the environment lacks. Empty for a service that the run has started. */
function missing(): Capability[] {
  return JSON.parse(process.env.LACKS ?? '[]');
}

function lacks(capability: Capability): boolean {
  return missing().includes(capability);
}

export { lacks }; // @extension docs

/** Returns jest's `test`. If the environment lacks the capability, the tests are skipped and counted. */
export function testWith(capability: Capability | undefined): typeof test {
  if (capability === undefined || !lacks(capability)) return test;
  const skip = (name: string, run: () => void) => {
    keepSkipped(capability, 1);
    test.skip(name, run);
  };
  const each = (cases: readonly unknown[]) => {
    keepSkipped(capability, cases.length);
    return test.skip.each(cases);
  };
  return Object.assign(skip, { each }) as unknown as typeof test;
}

/** Appends to the file that `SKIPPED_FILE` names. The end of the run reads the file. */
function keepSkipped(capability: Capability, count: number): void {
  if (process.env.SKIPPED_FILE) appendFileSync(process.env.SKIPPED_FILE, `${capability}\n`.repeat(count));
}

/** Returns a line for each capability that the environment lacks. @param skipped the content of `SKIPPED_FILE` */
export function linesOfMissing(skipped: string): string[] {
  const lines = skipped.split('\n');
  return missing().map(
    (name) =>
      `The environment lacks ${name}. Tests skipped: ${lines.filter((line) => line === name).length}.`,
  );
}

/**
 * Returns true if a service can send mail. Makes a new dog send mail to SES's mailbox simulator, which accepts mail even in the
 * sandbox.
 *
 * @see {@link https://docs.aws.amazon.com/ses/latest/dg/verify-addresses-and-domains.html Verifying addresses and domains}
 */
async function sendsMail(access: Access): Promise<boolean> {
  const { status, text } = await withDogOf('success', access, async (client, dog) =>
    client.post(`${dog}barks`),
  );
  const isRefused = /#problem-mail-(?:refused|unavailable)"/.test(text);
  if (status !== 200 && !isRefused)
    throw new Error(`A bark that sends mail got the response ${status}: ${text}`);
  return !isRefused;
}

function suspendsBouncedAddress(access: Access): Promise<boolean> {
  return withDogOf('bounce', access, async (client, dog) => {
    await client.post(`${dog}barks`);
    for (const end = Date.now() + eventDeadlineMs; Date.now() < end; await sleep(200))
      if ('suspended' in documentOf<object>(await client.get(dog))) return true;
    return false;
  });
}

/** Calls `run` with a new dog whose address belongs to the mailbox simulator, then deletes it. */
async function withDogOf<Result>(
  mailbox: 'success' | 'bounce',
  access: Access,
  run: (client: Client, dog: string) => Promise<Result>,
): Promise<Result> {
  const client = new Client(access);
  const testDogs = new TestDogs(client);
  try {
    const email = `${mailbox}@simulator.amazonses.com`;
    return await run(client, await testDogs.newDog({ email, barkEffects: ['emailDog'] }));
  } finally {
    await testDogs.clear();
  }
}

/** Returns true if a function receives the decoded ID of a dog. */
async function decodes(encoded: string, id: string, access: Access): Promise<boolean> {
  const response = await new Client(access).get(`/v1/dogs/${encoded}/`);
  return isProblem(response) && documentOf<Problem>(response).detail === `There is no dog "${id}".`;
}

function isProblem(response: ApiResponse): boolean {
  return header(response, 'Content-Type') === 'application/problem+json';
}

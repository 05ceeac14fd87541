import { readdirSync, readFileSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { appInputs } from '../../bin/app-inputs.ts';
import { type Access, newDirectory, type Service, startService } from '../../tools/service.ts';
import { synthesize } from '../../tools/synthesis.ts';
import { Client, type Mail, TestDogs } from '../support/client.ts';
import { recordFigures } from './figures.ts';
import {
  type NastyRequest,
  type NastyRequests,
  nastyBodies,
  nastyFraming,
  nastyHeaders,
  nastyMethods,
  nastyPaths,
  type Target,
} from './nasty-requests.ts';
import { isHead, type RawResponse, responsesTo } from './raw-responses.ts';

/**
 * Sends arbitrary bytes over HTTP. The service must correctly accept or refuse each request, and continue to respond. To
 * test another service than the one that this test starts, set `INPUTS_ACCESS_FILE` to the path of its `access.json`.
 */

let service: Service | undefined;
let access: Access;
let client: Client;
let testDogs: TestDogs;
let target: Target;

const address = 'success+nasty@simulator.amazonses.com';

/** Synthesizes the stack if it has changed since the last run. Returns its folder. */
async function prepareStack(): Promise<string> {
  const project = resolve(import.meta.dirname, '../..');
  const directory = join(project, '.build', 'cdk.out-inputs');
  const settings = { workflowType: 'STANDARD', cancellationWindowSeconds: '900' };
  await synthesize({ project, settings, directory, inputs: appInputs });
  return directory;
}

beforeAll(async () => {
  const { INPUTS_ACCESS_FILE } = process.env;
  if (!INPUTS_ACCESS_FILE) service = await startService(newDirectory(), { app: await prepareStack() });
  access = service?.access ?? JSON.parse(readFileSync(INPUTS_ACCESS_FILE ?? '', 'utf8'));
  client = new Client(access);
  testDogs = new TestDogs(client);
  const { host, pathname } = new URL(client.baseUrl);
  target = {
    host,
    prefix: pathname.replace(/\/$/, ''),
    authorization: client.authorization,
    dog: await testDogs.newDog({ email: address, barkEffects: ['record', 'emailDog'] }),
  };
});

afterAll(async () => {
  await testDogs?.clear();
  if (!service) return;
  await service.stop();
  rmSync(service.directory, { recursive: true });
});

/** A proxy in front of a deployed service may respond to an invalid request with another 4xx. */
function expectStatuses(responses: readonly RawResponse[], expected: readonly number[]): void {
  const statuses = responses.map(({ status }) => status);
  const isElsewhere = !service && expected.every((status) => status >= 400 && status < 500);
  if (isElsewhere) for (const status of statuses) expect(Math.floor(status / 100)).toBe(4);
  else expect(statuses).toEqual(expected);
}

/** Returns the defects in a response. No request may cause any of them. */
function faultsOf({ status, head, body }: RawResponse, { bytes, plain = false }: NastyRequest): string[] {
  const faults: string[] = [];
  if (/^x-injected/im.test(head)) faults.push(`a header that the client injected: ${head}`);
  if (/\n\s+at .*:\d+/.test(body) || /node:internal|node_modules/.test(body))
    faults.push(`a stack trace: ${body}`);
  if (status >= 400 && !plain && !isHead(bytes) && !isFailure(body)) faults.push(`no failure: ${body}`);
  return faults;
}

/** Returns true for a problem (RFC 9457) and for an OAuth error (RFC 6749 section 5.2). */
function isFailure(body: string): boolean {
  const { title, instance, error } = JSON.parse(body);
  return error === undefined ? Boolean(title && instance) : /^[a-z_]+$/.test(error);
}

const figures = { tried: 0, 'as expected': 0, 'service failures': 0, 'mail to others': 0 };
afterAll(() => recordFigures({ part: 'Inputs', of: 'HTTP', figures }));

const named = { host: '', prefix: '', authorization: '', dog: '/v1/dogs/rex/' };
const corpus: readonly [string, (target: Target) => NastyRequests][] = [
  ['A path', nastyPaths],
  ['A request', nastyMethods],
  ['A header', nastyHeaders],
  ['A message', nastyFraming],
  ['A body', nastyBodies],
];

describe.each(corpus)('%s:', (_, requestsTo) => {
  let requests: NastyRequests;
  beforeAll(() => {
    requests = requestsTo(target);
  });

  test.each(Object.keys(requestsTo(named)))('%s', async (name) => {
    const { [name]: nasty } = requests;
    if (!nasty) throw new Error(`There is no request "${name}".`);
    figures.tried += 1;
    const responses = await responsesTo(client.baseUrl, nasty.bytes, nasty);
    expectStatuses(responses, nasty.responses);
    expect(responses.flatMap((response) => faultsOf(response, nasty))).toEqual([]);
    expect((await client.get(target.dog)).status).toBe(200);
    figures['as expected'] += 1;
  });
});

/** The log lines that a dead process, a failed function or a 5xx response leaves. */
const isFailureOfPart =
  /process died|gateway failed|Runtime exited|timed out|"level":"ERROR"| 5\d\d \(request |^ +at /;

/** The authorizer throws this error for invalid credentials, as API Gateway requires. */
const isRefusal = /"errorMessage":"Unauthorized"/;

/** Returns the lines of the service's output, and of the logs of all functions. */
function linesOf({ directory, output }: Service): string[] {
  const logs = readdirSync(join(directory, 'logs')).map((name) =>
    readFileSync(join(directory, 'logs', name), 'utf8'),
  );
  return [output(), ...logs].flatMap((text) => text.split('\n'));
}

describe('after all these requests', () => {
  test('no part of the service has failed', () => {
    if (!service) return;
    const failures = linesOf(service).filter((line) => isFailureOfPart.test(line) && !isRefusal.test(line));
    figures['service failures'] += failures.length;
    expect(failures).toEqual([]);
    expect(service.process.exitCode).toBeNull();
  });

  test('all mails went to the address of the dog', async () => {
    if (!access.mail_url) return;
    const inbox = await fetch(access.mail_url);
    const { emails } = (await inbox.json()) as { emails: Mail[] };
    const recipients = new Set(emails.flatMap(({ destination }) => Object.values(destination).flat()));
    const others = [...recipients].filter((recipient) => recipient !== address);
    figures['mail to others'] += others.length;
    expect(others).toEqual([]);
    expect(recipients).toEqual(new Set([address]));
  });
});

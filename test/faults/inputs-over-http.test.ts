import { readdirSync, readFileSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { exchange } from '@rest-actions/local-cloud/testing';
import { appInputs } from '../../bin/app-inputs.ts';
import { type Access, newDirectory, type Service, startService } from '../../tools/service.ts';
import { synthesize } from '../../tools/synthesis.ts';
import { Client, type Mail, TestDogs } from '../support/client.ts';
import { recordFigures } from './figures.ts';
import { nastyRequests, type Target } from './nasty-requests.ts';
import { hasStackTrace, isFailure } from './response.ts';

/** Arbitrary bytes over HTTP. To test another service, set `INPUTS_ACCESS_FILE` to the path of its `access.json`. */

let service: Service | undefined;
let access: Access;
let client: Client;
let testDogs: TestDogs;
let target: Target;

const address = 'success+nasty@simulator.amazonses.com';

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

interface RawResponse {
  readonly status: number;
  readonly head: string;
  readonly body: string;
}

/** A proxy in front of a deployed service may respond to an invalid request with another 4xx. */
function expectStatuses(responses: readonly RawResponse[], expected: readonly number[]): void {
  const statuses = responses.map(({ status }) => status);
  const isElsewhere = !service && expected.every((status) => status >= 400 && status < 500);
  if (isElsewhere) for (const status of statuses) expect(Math.floor(status / 100)).toBe(4);
  else expect(statuses).toEqual(expected);
}

function responsesIn(bytes: Buffer): RawResponse[] {
  if (bytes.length === 0) return [];
  const end = bytes.indexOf('\r\n\r\n');
  const head = bytes.subarray(0, end).toString('latin1');
  const [, status] = /^HTTP\/1\.1 (\d{3}) /.exec(head) ?? [];
  if (end < 0 || status === undefined)
    throw new Error(`The response is invalid: ${bytes.toString('latin1')}`);
  const [, length] = /^content-length: *(\d+)$/im.exec(head) ?? [];
  const rest = bytes.subarray(end + 4);
  const size = Number(status) < 200 ? 0 : Number(length ?? rest.length);
  if (rest.length < size) throw new Error(`The response is incomplete: ${bytes.toString('latin1')}`);
  const response = { status: Number(status), head, body: rest.subarray(0, size).toString('utf8') };
  // An interim response such as 100 Continue does not count.
  return [...(response.status < 200 ? [] : [response]), ...responsesIn(rest.subarray(size))];
}

function faultsOf({ status, head, body }: RawResponse): string[] {
  const faults: string[] = [];
  if (/^x-injected/im.test(head)) faults.push(`a header that the client injected: ${head}`);
  if (hasStackTrace(body)) faults.push(`a stack trace: ${body}`);
  const [, type] = /^content-type: *(.*)$/im.exec(head) ?? [];
  // The document of API Gateway's DEFAULT_4XX has no status.
  if (status >= 400 && !isFailure({ status, ...JSON.parse(body) }, status, type))
    faults.push(`no failure: ${body}`);
  return faults;
}

const figures = { tried: 0, 'as expected': 0, 'service failures': 0, 'mail to others': 0 };
afterAll(() => recordFigures({ part: 'Inputs', of: 'HTTP', figures }));

const named = { host: '', prefix: '', authorization: '', dog: '/v1/dogs/rex/' };
const places = Object.entries(nastyRequests(named)).flatMap(([of, requests]) =>
  Object.keys(requests).map((name) => [of, name] as const),
);

describe('The service responds as expected to', () => {
  let requests: ReturnType<typeof nastyRequests>;
  beforeAll(() => {
    requests = nastyRequests(target);
  });

  test.each(places)('%s: %s', async (of, name) => {
    const nasty = requests[of]?.[name];
    if (!nasty) throw new Error(`There is no request "${name}".`);
    figures.tried += 1;
    const responses = responsesIn(await exchange(client.baseUrl, nasty.bytes, nasty));
    expectStatuses(responses, nasty.responses);
    expect(responses.flatMap(faultsOf)).toEqual([]);
    expect((await client.get(target.dog)).status).toBe(200);
    figures['as expected'] += 1;
  });
});

/** The log lines that a dead process, a failed function or a 5xx response leaves. */
const isFailureOfPart =
  /process died|gateway failed|Runtime exited|timed out|"level":"ERROR"| 5\d\d \(request |^ +at /;

/** The authorizer throws this error for invalid credentials, as API Gateway requires. */
const isRefusal = /"errorMessage":"Unauthorized"/;

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

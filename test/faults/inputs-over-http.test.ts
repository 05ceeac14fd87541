import { readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { type RouteName, routes } from '../../lambdas/contract/routes.ts';
import { type Access, newDirectory, type Service, startService } from '../../tools/service.ts';
import { invalidCredentials } from '../cases/refused/credentials.ts';
import { basic, Client, header, type Mail, TestDogs } from '../support/client.ts';
import { dumpOf } from '../support/dump.ts';
import { recordFigures } from './figures.ts';
import {
  type NastyRequest,
  type NastyRequests,
  nastyBodies,
  nastyFraming,
  nastyHeaders,
  nastyMethods,
  nastyPaths,
  nastyTokenRequests,
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

beforeAll(async () => {
  const { INPUTS_ACCESS_FILE } = process.env;
  if (!INPUTS_ACCESS_FILE)
    service = await startService(newDirectory(), {
      settings: ['workflowType=STANDARD', 'cancellationWindowSeconds=900'],
    });
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

const figures = { tried: 0, 'as expected': 0, 'service failures': 0, 'emails to others': 0 };
afterAll(() => recordFigures({ part: 'Inputs', of: 'HTTP', figures }));

const named = { host: '', prefix: '', authorization: '', dog: '/v1/dogs/rex/' };
const corpus: readonly [string, (target: Target) => NastyRequests][] = [
  ['A path', nastyPaths],
  ['A request', nastyMethods],
  ['A header', nastyHeaders],
  ['A message', nastyFraming],
  ['A body', nastyBodies],
  ['A request for a token', nastyTokenRequests],
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

type Change = Extract<
  (typeof routes)[number],
  { access: 'user'; method: 'POST' | 'PUT' | 'PATCH' | 'DELETE' }
>;
const changes = routes.filter(
  (route): route is Change => route.access === 'user' && (route.method as string) !== 'GET',
);

/** The bodies of the requests that change data. */
const bodies: Partial<Record<RouteName, () => unknown>> = {
  PutDog: () => ({ barkEffects: ['count'] }),
  PatchDog: () => ({ barks: { next: 0, frequency: 1 } }),
  PostBarks: () => ({ message: 'woof' }),
  PostLastBark: () => ({ message: 'woof' }),
  PostBarkSchedule: () => ({ token: 7, next: 0, frequency: 10 }),
};

/** Returns header fields without valid credentials. The response is 401, or 400 if they are not valid fields. */
function noCredentials(access: Access): Record<string, string[]> {
  const { username, password } = access;
  const good = basic(username, password);
  const elsewhere: Record<string, string[]> = {
    'credentials in the header for proxies': [`Proxy-Authorization: ${good}`],
    'credentials in a header with another name': [
      `X-Authorization: ${good}`,
      `X-Amz-Security-Token: ${password}`,
    ],
    'credentials in a cookie': [`Cookie: Authorization=${good}`],
    'a user name in the headers of a proxy': [`X-Forwarded-User: ${username}`, `Remote-User: ${username}`],
    'a principal': [
      `X-Amzn-Principal: ${username}`,
      'X-Apigateway-Event: {"requestContext":{"authorizer":{}}}',
    ],
    'an address of this machine': ['X-Forwarded-For: 127.0.0.1', 'Forwarded: for=127.0.0.1'],
    'a space before the colon': [`Authorization : ${good}`],
    'a continuation line': ['Authorization:', ` ${good}`],
    'NUL in the name': [`Authorization\0: ${good}`],
  };
  const values = invalidCredentials(access);
  return {
    'no field': [],
    'an empty field': ['Authorization:'],
    'a wrong password': [`Authorization: ${values['a wrong password']}`],
    'a token without a valid signature': [`Authorization: ${values['a token without a valid signature']}`],
    ...elsewhere,
  };
}

describe('a request without valid credentials', () => {
  const counts = { tried: 0, refused: 0, 'changed without credentials': 0 };
  afterAll(() => recordFigures({ part: 'Inputs', of: 'without credentials', figures: counts }));
  let dog: string;
  let pending: string;

  beforeAll(async () => {
    dog = await testDogs.newDog({ email: address, barkEffects: ['record'], barkHandling: 'async' });
    pending =
      header(await client.post(`${dog}barks`), 'Location')
        .split('/')
        .at(-1) ?? '';
    await client.post(`${dog}bark-schedule`, {
      token: 1,
      next: Math.floor(Date.now() / 1000) + 86_400,
      frequency: 10,
    });
  });

  const pathOf = ({ path }: Change) =>
    path.replace('/v1/dogs/{dog_id}', dog.replace(/\/$/, '')).replace('{bark_id}', pending);
  const bodyOf = ({ name }: Change) => JSON.stringify(bodies[name]?.() ?? {});
  const since = () => ({ 'If-Unmodified-Since': new Date().toUTCString() });

  /** Returns the visible state of the dog, or all stored data if the service runs on this machine. */
  async function state(): Promise<unknown> {
    if (service) return dumpOf(service.directory);
    const paths = [dog, `${dog}barks`, `${dog}barks/${pending}`, `${dog}bark-schedule`];
    return Promise.all(paths.map(async (path) => (await client.get(path)).text));
  }

  /** Returns the data that only requests change. Queues and executions also change without requests. */
  async function tables(): Promise<unknown> {
    const isOfTable = (line: string) => /^dynamodb\.sqlite (?!_)/.test(line);
    return service ? dumpOf(service.directory).filter(isOfTable) : state();
  }

  test.each(Object.keys(noCredentials({ username: 'u', password: 'p', base_url: '' })))(
    'changes nothing: %s',
    async (name) => {
      const { [name]: fields = [] } = noCredentials(access);
      const before = await state();
      for (const change of changes) {
        counts.tried += 1;
        const body = bodyOf(change);
        const head = [
          `${change.method} ${target.prefix}${pathOf(change)}?Authorization=${encodeURIComponent(client.authorization)} HTTP/1.1`,
          `Host: ${target.host}`,
          ...fields,
          'Connection: close',
          'Content-Type: application/json',
          `If-Unmodified-Since: ${since()['If-Unmodified-Since']}`,
          `Content-Length: ${body.length}`,
        ];
        const responses = await responsesTo(client.baseUrl, [
          Buffer.from(`${head.join('\r\n')}\r\n\r\n${body}`),
        ]);
        const areFields = fields.every((field) => /^[\w-]+:/.test(field));
        expect([change.name, ...responses.map(({ status }) => status)]).toEqual([
          change.name,
          areFields ? 401 : 400,
        ]);
        counts.refused += 1;
      }
      const after = await state();
      if (JSON.stringify(after) !== JSON.stringify(before)) counts['changed without credentials'] += 1;
      expect(after).toEqual(before);
    },
  );

  test('changes data if the credentials are valid, except for DELETE of the last bark', async () => {
    // The dog is deleted last.
    for (const change of changes.toSorted(
      (a, b) => Number(a.name === 'DeleteDog') - Number(b.name === 'DeleteDog'),
    )) {
      const before = await tables();
      const { status } = await client.send(change.method, pathOf(change), {
        body: bodies[change.name]?.(),
        fields: change.method === 'PATCH' ? since() : {},
      });
      const isChanged = !isDeepStrictEqual(await tables(), before);
      expect([change.name, status < 400, isChanged]).toEqual([
        change.name,
        true,
        change.name !== 'DeleteLastBark',
      ]);
    }
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
    figures['emails to others'] += others.length;
    expect(others).toEqual([]);
    expect(recipients).toEqual(new Set([address]));
  });
});

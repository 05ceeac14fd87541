import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CloudFormationClient, DescribeStacksCommand } from '@aws-sdk/client-cloudformation';
import { proofOf, proofPath } from '@rest-actions/local-cloud/platform';
import { shortenPauses } from '@rest-actions/local-cloud/testing';
import { localTime } from '../../../bin/cli/output.ts';
import { dogSection } from '../../../bin/cli/tree/dogs.ts';
import { driver } from '../../cases/in-process.ts';
import { basic } from '../../support/client.ts';
import { linesOf } from '../../support/columns.ts';
import { sessionOf } from '../../support/command-line.ts';
import { plan } from '../../support/faults.ts';
import { useLogs } from '../../support/logs.ts';
import { mockClient } from '../../support/mock-client.ts';
import { withRemedy } from '../../support/remedy.ts';
import { describedStack, stackOutputs } from '../../support/stack-outputs.ts';
import { commandRunner, namesOf } from './runner.ts';

const { base_url: baseUrl, username } = driver.access;
const password = 'correct horse';
useLogs();
const shortened = shortenPauses();
const { pauses } = shortened;
afterAll(shortened.restore);

const directory = mkdtempSync(join(tmpdir(), 'dogs-'));

/** The requests, as the service received them. */
let requests: (Pick<Request, 'method' | 'url' | 'headers'> & { readonly body: string })[];
/** For how many seconds of the client's pauses the service's time has passed. */
let passedSeconds = 0;
/** Runs before the service responds. A response that it returns replaces the service's response. */
let intercept: (request: Request) => Promise<Response | undefined>;

/** Replaces the network, the gateway and the authorizer between the command and the functions. */
async function respond(request: Request): Promise<Response> {
  const { method, url, headers } = request;
  const body = await request.clone().text();
  requests.push({ method, url, headers, body });
  const pausedSeconds = pauses.reduce((sum, pause) => sum + pause, 0) / 1_000;
  await driver.passTime(pausedSeconds - passedSeconds);
  passedSeconds = pausedSeconds;
  const replaced = await intercept(request);
  if (replaced) return replaced;
  if (headers.get('Authorization') !== basic(username, password))
    return Response.json({ type: 'about:blank', title: 'Unauthorized', detail: 'Wrong.' }, { status: 401 });
  return driver.send(url, { method, headers: [...headers], body });
}

beforeEach(() => {
  requests = [];
  intercept = async () => undefined;
  jest.spyOn(globalThis, 'fetch').mockImplementation((input) => respond(new Request(input as Request)));
  Object.assign(process.env, {
    DOGS_URL: baseUrl,
    DOGS_USER: username,
    DOGS_PASSWORD: password,
    DATA_DIR: directory,
  });
  delete process.env.DOGS_STACK;
});

afterAll(() => rmSync(directory, { recursive: true }));

const { ran, dogs, json, failure } = commandRunner();

let count = 0;

async function newDog(options = ''): Promise<string> {
  const id = `dog-${count++}`;
  await json(`create ${id} ${options}`.trim());
  return id;
}

describe('a dog', () => {
  test('is created, listed, shown, changed, replaced and deleted', async () => {
    const session = await sessionOf(
      dogs,
      'create rex --email rex@example.com --bark-effects count,emailDog --bark-handling async',
      'list',
      'get rex',
      'update rex --owner mailto:jane@example.com --bark-handling sync',
      'get rex',
      'update rex --owner=',
      'get rex',
      'replace rex --bark-handling async',
      'get rex',
      'delete rex --yes',
      'get rex',
    );
    expect(session).toMatchSnapshot();
  });

  test.each([
    ['update', { tricks: ['roll over'], email: 'rex@example.com' }],
    ['replace', { tricks: ['roll over'] }],
  ])('keeps the settings that only a newer service knows: %s', async (command, kept) => {
    const id = await newDog('--email rex@example.com');
    intercept = async ({ method, url, headers }) => {
      if (method === 'PUT') return new Response(null, { status: 204 });
      const read = await driver.send(url, { method, headers: [...headers] });
      const dog = (await read.json()) as object;
      return Response.json({ ...dog, tricks: ['roll over'] }, { headers: { ETag: '"newer"' } });
    };
    await json(`${command} ${id} --bark-handling async`);
    const { headers, body = '' } = requests.at(-1) ?? {};
    expect(JSON.parse(body)).toMatchObject({ ...kept, barkHandling: 'async' });
    expect([headers?.get('If-Match'), 'email' in JSON.parse(body)]).toEqual([
      '"newer"',
      command === 'update',
    ]);
  });

  test('keeps a change that comes between the read and the write of an update', async () => {
    const id = await newDog();
    intercept = async ({ method, headers }) => {
      if (method !== 'PUT') return undefined;
      intercept = async () => undefined;
      const body = JSON.stringify({ email: 'new@example.com' });
      const fields = [...headers].filter(([name]) => name !== 'if-match');
      await driver.send(`${baseUrl}/v1/dogs/${id}`, { method, headers: fields, body });
      return undefined;
    };
    await json(`update ${id} --bark-handling async`);
    expect(await json(`get ${id}`)).toMatchObject({ email: 'new@example.com', barkHandling: 'async' });
  });

  test('is listed up to the limit, with a notice that there are more', async () => {
    await newDog();
    await newDog();
    const { stdout, stderr } = await dogs('list --limit 1 --json');
    const more = 'There are more than 1. Show more with --limit.\n';
    expect([JSON.parse(stdout).length, stderr]).toEqual([1, more]);
  });

  test('is shown to people with local and relative times, its latest barks first', async () => {
    const id = await newDog('--bark-effects count');
    for (let i = 0; i < 7; i++) await json(`bark ${id}`);
    const first = await driver.now();
    await json(`schedule set ${id} --next 10m --frequency 30`);
    await driver.passTime(60);
    expect(linesOf((await dogs(`get ${id}`)).stdout)).toEqual([
      `id: ${id}`,
      'barkCount: 7',
      'barkEffects: count',
      'barkHandling: sync',
      'barking: false',
      `previous: ${localTime(first)} (1 minute ago)`,
      ...Array(4).fill(` ${localTime(first)} (1 minute ago)`),
      'earlier: 2 more',
      `next: ${localTime(first + 600)} (in 9 minutes)`,
      'frequency: every 30 minutes',
      '',
    ]);
  });

  test('is shown to people with its suspended addresses, one on each line', async () => {
    const since = await driver.now();
    const suspended = [
      { address: 'rex@example.com', reason: 'bounced', since },
      { address: 'jane@example.com', reason: 'unsubscribed', since },
    ];
    intercept = async () => Response.json({ id: 'rex', suspended });
    expect((await dogs('get rex')).stdout.split('\n')).toEqual([
      'id:        rex',
      `suspended: rex@example.com (bounced) since ${localTime(since)} (now)`,
      `           jane@example.com (unsubscribed) since ${localTime(since)} (now)`,
      '',
    ]);
  });
});

describe('a bark', () => {
  const complete = { status: 'complete', timestamp: expect.any(Number) };

  test('that is synchronous is complete', async () => {
    const id = await newDog('--bark-effects count');
    expect(await json(`bark ${id} --message Woof`)).toEqual({
      dog: `${baseUrl}/v1/dogs/${id}/`,
      ...complete,
    });
    expect(requests.at(-1)).toMatchObject({ body: JSON.stringify({ message: 'Woof' }) });
  });

  test('that is asynchronous is pending, can be waited for, and is listed', async () => {
    const dog = await newDog();
    const started = await dogs(`bark ${dog} --async --json --user ${username}`);
    const bark = JSON.parse(started.stdout);
    expect(bark).toEqual({
      id: expect.any(String),
      dog: `${baseUrl}/v1/dogs/${dog}/`,
      timestamp: null,
      status: 'pending',
    });
    const shown = `${dog} ${bark.id} --user ${username}`;
    expect(started.stderr.split('\n')).toEqual([
      'The bark is pending. To cancel it, run:',
      `  npx dogs barks cancel ${shown}`,
      'To wait for it, run:',
      `  npx dogs barks get ${shown} --wait`,
      '',
    ]);
    expect(await json(`barks get ${dog} ${bark.id}`)).toMatchObject({ status: 'pending' });
    const waited = await dogs(`barks get ${dog} ${bark.id} --wait --json`);
    expect([waited.code, JSON.parse(waited.stdout)]).toEqual([0, { ...bark, ...complete }]);
    expect(waited.progress).toEqual([`Waiting for the bark of ${dog}`]);
    expect(await json(`barks list ${dog}`)).toEqual([{ ...bark, ...complete }]);
    const { timestamp } = JSON.parse(waited.stdout);
    expect(await json(`barks get ${dog}`)).toEqual({ id: bark.id, timestamp });
  });

  test('is complete after bark --wait, however often the service responds that it is pending', async () => {
    const dog = await newDog('--bark-handling async --bark-effects count');
    const pending = { id: 'a01', dog: `${baseUrl}/v1/dogs/${dog}/`, timestamp: null, status: 'pending' };
    let reads = 0;
    intercept = async ({ method }) => (method === 'GET' && reads++ < 3 ? Response.json(pending) : undefined);
    const before = pauses.length;
    const { stdout } = await dogs(`bark ${dog} --wait --json`);
    expect(JSON.parse(stdout)).toMatchObject(complete);
    // A service that does not wait is not flooded with requests.
    expect(pauses.slice(before).filter((pause) => pause === 1_000).length).toBeGreaterThanOrEqual(reads - 2);
    // @extension waiting {
    const preferences = requests
      .filter(({ method }) => method === 'GET')
      .map(({ headers }) => headers.get('Prefer'));
    expect(preferences.slice(0, 2)).toEqual([null, 'wait=20']);
    // @extension waiting }
    expect((await json(`get ${dog}`)).barkCount).toBe(1);
  });

  test('that was cancelled makes the command that waits for it fail', async () => {
    const dog = await newDog();
    let cancelled: unknown;
    let reads = 0;
    intercept = async ({ url, method }) => {
      // The first read shows that the bark is pending.
      if (method !== 'GET' || reads++ === 0) return undefined;
      intercept = async () => undefined;
      cancelled = await json(`barks cancel ${dog} ${url.split('/').at(-1)}`);
      return undefined;
    };
    const { code, stdout, stderr } = await dogs(`bark ${dog} --async --wait --json`);
    const bark = JSON.parse(stdout);
    expect([code, bark.status]).toEqual([1, 'cancelled']);
    expect(cancelled).toEqual({ cancelled: bark.id });
    expect(stderr).toMatch(/The bark was cancelled\.\n$/);
  });

  test('that failed makes the command that waits for it fail, with the reason', async () => {
    const dog = await newDog('--bark-effects emailDog --email rex@example.com');
    plan('SendRawEmail', 'refused');
    const { code, stdout, stderr } = await dogs(`bark ${dog} --async --wait --json`);
    const { status, reason } = JSON.parse(stdout);
    expect([code, status]).toEqual([1, 'failed']);
    expect(stderr).toContain(`The bark failed. ${reason}\n`);
  });

  test('that only sends mail is not a last bark', async () => {
    const dog = await newDog('--bark-effects emailDog --email rex@example.com');
    await json(`bark ${dog}`);
    expect(await failure(`barks get ${dog}`)).toBe(
      `1: The dog has no last bark.\nNo bark of dog "${dog}" has been counted or recorded yet.\nMake the dog bark with "npx dogs bark". If it only sends mail, first add count or record to its bark effects with "npx dogs update".`,
    );
  });

  test('happens once if the command is repeated with the same key', async () => {
    const dog = await newDog();
    const first = await json(`bark ${dog} --idempotency-key deploy-42`);
    expect(await json(`bark ${dog} --idempotency-key deploy-42`)).toEqual(first);
    const asynchronous = `bark ${dog} --async --wait --json --idempotency-key deploy-43`;
    const { stdout } = await dogs(asynchronous);
    expect(await dogs(asynchronous)).toMatchObject({ stdout, stderr: '' });
    expect((await json(`get ${dog}`)).barkCount).toBe(2);
  });
});

test('a schedule is set, shown, replaced and ended', async () => {
  const dog = await newDog();
  const now = await driver.now();
  const set = { dog, last: null, next: now + 7200, frequency: 10 };
  expect(await json(`schedule set ${dog} --next 2h --frequency 10`)).toEqual(set);
  expect(await json(`schedule get ${dog}`)).toEqual(set);
  expect(await failure(`schedule set ${dog} --next 1d`)).toContain(
    `1: The dog "${dog}" already has a schedule: it barks next at ${localTime(now + 7200)} (in 2 hours). `,
  );
  expect(await json(`schedule set ${dog} --next 2027-01-01T09:00 --replace`)).toEqual({
    ...set,
    next: new Date(2027, 0, 1, 9).getTime() / 1000,
    frequency: null,
  });
  expect((await dogs(`schedule get ${dog}`)).stdout).toMatch(
    /^last: {6}-\nnext: .*\(in 1 month\)\nfrequency: once$/m,
  );
  expect(await json(`schedule end ${dog} --yes`)).toEqual({ ended: dog });
  expect(await json(`schedule get ${dog}`)).toEqual({ ...set, next: null, frequency: null });
  for (const time of ['', '--next now ', '--next 0 '])
    expect(await json(`schedule set ${dog} ${time}--frequency 5 --replace`)).toMatchObject({
      last: expect.any(Number),
      frequency: 5,
    });
});

describe('a command fails with a message for', () => {
  test.each([
    ['an unknown dog', 'bark none'],
    ['an unknown bark', 'barks cancel DOG a01KAJ6W1T8N5Q6ZC2M7V4R3XDB'],
    ['a dog without a bark', 'barks get DOG'],
    ['a dog without a schedule', 'schedule end DOG --yes'],
    ['a dog that exists', 'create DOG'],
    ['an ID that would be another path', 'delete .. --yes'],
    ['an ID that cannot be one of a bark', 'barks get DOG ..'],
    ['an update without a setting', 'update DOG'],
    ['a setting that is not valid', 'update DOG --bark-effects='],
    ['settings that are not valid together', 'create other --bark-effects emailDog'],
    ['a time in the past', 'schedule set DOG --next 2020-01-01T00:00Z'],
    ['a time without an hour', 'schedule set DOG --next 2027-01-01'],
    ['a time on a day that does not exist', 'schedule set DOG --next 2027-02-30T09:00'],
    ['a frequency that is no number', 'schedule set DOG --frequency often'],
    ['two services', `list --url ${baseUrl} --stack DogService-test`],
    ['a URL that is none', 'list --url dogs'],
    ['a URL with a user', 'list --url http://a:b@dogs.example'],
    ['a key that no header can have', 'bark DOG --idempotency-key ü'],
    ['an option with two values', 'bark DOG --message Woof --message Wow'],
    ['a second stack', 'list --stack DogService-test --stack DogService-prod'],
    ['an empty URL', 'list --url='],
    ['an empty stack', 'list --stack='],
    ['an empty user', 'list --user='],
    ['an empty ID', 'barks get  a01'],
  ])('%s', async (_, args) => {
    const dog = args.includes('DOG') ? await newDog() : '';
    const failed = await failure(args.replace('DOG', dog));
    const stable = failed.replaceAll(dog || 'DOG', 'DOG').replace(/clock shows .* GMT/, 'clock shows NOW');
    withRemedy('Review the change of the message. Then run npm run test:unit -- -u test/bin/cli', () => {
      expect(stable).toMatchSnapshot();
    });
  });

  test('a bark that can no longer be cancelled', async () => {
    const dog = await newDog();
    const { stdout } = await dogs(`bark ${dog} --async --wait --json`);
    const { id } = JSON.parse(stdout);
    expect(await failure(`barks cancel ${dog} ${id}`)).toMatch(
      /^1: The bark can no longer be cancelled\.\n.*\nShow its status with "npx dogs barks get"\.$/,
    );
  });

  test('a dog without recorded barks, as a notice', async () => {
    const dog = await newDog('--bark-effects count');
    const { code, stdout, stderr } = await dogs(`barks list ${dog}`);
    expect([code, stdout, stderr]).toEqual([0, 'none\n', expect.stringContaining('has no recorded barks')]);
  });

  const problem = (status: number, type: string, title: string, headers = {}, instance?: string) =>
    Response.json(
      { type: `${baseUrl}/docs#problem-${type}`, title, detail: 'No.', instance },
      { status, headers },
    );
  const html = { headers: { 'Content-Type': 'text/html' } };

  test.each<[string, () => Promise<Response>]>([
    [
      'a service that does not respond',
      () => Promise.reject(new TypeError('fetch failed', { cause: { code: 'ECONNREFUSED' } })),
    ],
    ['a program that is not a dog service', async () => new Response('<html>', { status: 404, ...html })],
    [
      'the URL of an API without its stage',
      async () => Response.json({ message: 'Missing Authentication Token' }, { status: 403 }),
    ],
    [
      'a service that is overloaded',
      async () => problem(503, 'service-unavailable', 'Busy', { 'Retry-After': '3' }),
    ],
    ['a defect of the service', async () => problem(500, 'internal-error', 'Failed', {}, '#Z6=')],
    ['a problem without a remedy of the command line', async () => problem(502, 'mail-refused', 'Refused')],
  ])('%s', async (_, response) => {
    intercept = response;
    expect(await failure('get rex')).toMatchSnapshot();
  });
});

describe('the credentials', () => {
  test('that are wrong are refused with the names of the variables', async () => {
    process.env.DOGS_PASSWORD = 'wrong';
    expect(await failure('list')).toMatch(
      /^1: Unauthorized\..*\n.*\nCheck --user or DOGS_USER, and DOGS_PASSWORD\. .*users rotate"\.$/,
    );
  });

  test('are asked for on a terminal, and are never an argument', async () => {
    delete process.env.DOGS_PASSWORD;
    const { code, questions } = await dogs('list', { secret: password });
    expect([code, questions]).toEqual([0, [`Password of ${username}: `]]);
    expect(await failure('list --user jane')).toMatch(/^2: The password of the user "jane" is missing\./);
    expect((await dogs('list --password x')).code).toBe(2);
  });

  test('must have the name of a user', async () => {
    process.env.DOGS_USER = '';
    expect(await failure('list')).toMatch(/^2: Name the user with --user or DOGS_USER\./);
  });
});

describe('the service', () => {
  const stack = 'DogService-test';
  const cloudFormation = mockClient(CloudFormationClient);

  beforeEach(() => {
    cloudFormation.reset();
    const outputs = { ...stackOutputs(), BaseUrl: 'https://deployed.example/prod/' };
    cloudFormation.on(DescribeStacksCommand, { StackName: stack }).resolves(describedStack(outputs));
    intercept = async () => Response.json({ dogs: [] });
  });

  async function urlOf(args: string): Promise<string | undefined> {
    await json(args);
    return requests.at(-1)?.url;
  }

  test('is the one that the command line names, or else the environment', async () => {
    const other = 'http://other.example';
    const [listOf, ofStack] = [(url: string) => `${url}/v1/dogs?limit=100`, 'https://deployed.example/prod'];
    expect(await urlOf('list')).toBe(listOf(baseUrl));
    expect(await urlOf(`list --url ${other}/`)).toBe(listOf(other));
    expect(await urlOf(`list --stack ${stack}`)).toBe(listOf(ofStack));
    process.env.DOGS_STACK = stack;
    expect(await urlOf('list')).toBe(listOf(baseUrl));
    process.env.DOGS_URL = '';
    expect(await urlOf('list')).toBe(listOf(ofStack));
  });

  describe('on this machine', () => {
    const endpoint = 'http://127.0.0.1:3001';
    let nonce: string;

    beforeEach(() => {
      nonce = 'secret';
      for (const name of ['DOGS_URL', 'DOGS_USER', 'DOGS_PASSWORD']) process.env[name] = '';
      const files = {
        'operator.json': { nonce, client: { endpoint } },
        'access.json': { base_url: baseUrl, username, password },
      };
      for (const [name, content] of Object.entries(files))
        writeFileSync(join(directory, name), JSON.stringify(content));
      intercept = async ({ url }) => {
        if (url.startsWith(`${endpoint}${proofPath}`))
          return new Response(proofOf(nonce, url.split('/').at(-1) ?? ''));
        return undefined;
      };
    });

    test('gets the credentials of its first user', async () => {
      expect(await json('list')).toEqual(expect.any(Array));
    });

    test('gets no credentials before it has proved its identity', async () => {
      nonce = 'of another program';
      expect(await failure('list')).toMatch(/^1: The program at .* is not the service that wrote/);
      expect(requests.map(({ headers }) => headers.get('Authorization'))).toEqual([null]);
      intercept = () => Promise.reject(new TypeError('fetch failed'));
      expect(await failure('list')).toMatch(/^1: The service on this machine does not respond\. Start it/);
      writeFileSync(join(directory, 'operator.json'), '{"client":');
      expect(await failure('list')).toMatch(/^1: No service is running on this machine: .* cannot be read/);
      rmSync(join(directory, 'operator.json'));
      expect(await failure('list')).toMatch(/^1: No service is running on this machine: .* Run npm start/);
    });

    test.each([
      ['operator.json', /^1: No service is running on this machine: .*operator\.json cannot be read\. Run/],
      [
        'access.json',
        /^1: .*access\.json is missing or damaged\. Restore it from a backup\. If you delete it, .* new password\.$/,
      ],
    ])('is named in one sentence if its file %s is damaged', async (name, expected) => {
      for (const content of ['\x1b[2J\xff', 'null', '5', '{}', '[]']) {
        writeFileSync(join(directory, name), content, 'latin1');
        expect(await failure('list')).toMatch(expected);
      }
    });

    test.each(['null', '[]', '{"client":{}}', '{"client":{"endpoint":"http://127.0.0.1:1"}}'])(
      'is not running if its data is %s',
      async (text) => {
        writeFileSync(join(directory, 'operator.json'), text);
        expect(await failure('list')).toMatch(/^1: No service is running on this machine: .* cannot be read/);
      },
    );
  });
});

test('the tests of this file run every command of a user', () => {
  expect([...ran].sort()).toEqual(namesOf(dogSection).sort());
});

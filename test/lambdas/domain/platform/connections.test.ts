import { setImmediate as turn } from 'node:timers/promises';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { GetCommand } from '@aws-sdk/lib-dynamodb';
import { barkEnvironment } from '../../../support/environment.ts';
import { type Death, StandInServer, startFullServer } from '../../../support/stand-in-server.ts';

const domain = new URL('../../../../lambdas/domain/', import.meta.url).href;
const context = () => ({ now: Date.now(), signal: AbortSignal.timeout(8_000) });
const mail = { to: ['rex@example.com'], subject: 'Woof', text: 'Bow wow', html: '', tags: { dog: 'rex' } };
const sent =
  '<SendRawEmailResponse><SendRawEmailResult><MessageId>1</MessageId></SendRawEmailResult></SendRawEmailResponse>';

interface Client {
  /** The body of each response of the server. */
  readonly body: string;
  readonly module: string;
  /** True if the client opens a new connection for each request. */
  readonly isFresh?: boolean;
  // biome-ignore lint/suspicious/noExplicitAny: the exports of the module
  readonly call: (exports: any, url: string) => Promise<unknown>;
}

const clients = {
  DYNAMODB: {
    body: '{}',
    module: 'platform/dynamodb.ts',
    call: ({ withRetries, database }) => {
      const command = new GetCommand({ TableName: 'dogs', Key: { id: 'rex' } });
      return withRetries((options: object) => database.send(command, options), context());
    },
  },
  SES: {
    body: sent,
    module: 'platform/ses.ts',
    isFresh: true,
    call: ({ sendMail }) => sendMail(mail, context()),
  },
  SFN: {
    body: '{"executionArn":"arn","startDate":0}',
    module: 'platform/step-functions.ts',
    call: ({ startWorkflow }) => startWorkflow({ dog: 'rex', bark: 'a' }, context()),
  },
  SCHEDULER: {
    body: '{}',
    module: 'schedules/eventbridge.ts',
    call: ({ deleteSchedule }) => deleteSchedule('rex', 'scheduleId', context()),
  },
  SECRETS_MANAGER: {
    body: '{"SecretString":"{}"}',
    module: 'platform/secrets-manager.ts',
    call: ({ readSecret }) => readSecret('secret', context()),
  },
  TOKEN_ENDPOINT: {
    body: '{"access_token":"a","token_type":"Bearer","expires_in":3600}',
    module: 'credentials/token-endpoint.ts',
    isFresh: true,
    call: ({ exchangeRefreshToken }, auth_url) =>
      exchangeRefreshToken({ auth_url, client_id: 'walker', client_secret: 'hush' }, 'token', context()),
  },
} satisfies Record<string, Client>;

type Name = keyof typeof clients;
const names = Object.keys(clients) as Name[];
const usual = getCACertificates();
const trust = (more: readonly string[]) => setDefaultCACertificates([...usual, ...more]);
let servers: StandInServer[];
/** The queries of the test runner are smaller numbers. */
let loads = 1_000_000;

beforeAll(() => {
  Object.assign(process.env, {
    AWS_REGION: 'us-east-1',
    AWS_ACCESS_KEY_ID: 'test',
    AWS_SECRET_ACCESS_KEY: 'test',
    ...barkEnvironment,
  });
  trust([StandInServer.certificate]);
});
afterAll(() => trust([]));

beforeEach(() => {
  servers = [];
});

afterEach(() => {
  jest.restoreAllMocks();
  for (const server of servers) server.stop();
});

async function startServer(scheme: 'http' | 'https', body: string): Promise<StandInServer> {
  const server = new StandInServer(scheme, body);
  servers.push(server);
  await server.start();
  return server;
}

async function load(name: Name, url: string): Promise<() => Promise<unknown>> {
  process.env[`AWS_ENDPOINT_URL_${name}`] = url;
  const { module, call }: Client = clients[name];
  // Each query makes Node load another copy of the module.
  const exports = await import(`${domain}${module}?${loads++}`);
  return () => call(exports, url);
}

/** Holds the SDK's timers that have the given delay. The returned function ends them. */
function holdTimers(delayMs: number): () => void {
  const start = globalThis.setTimeout;
  const held = new Set<() => void>();
  jest.spyOn(globalThis, 'setTimeout').mockImplementation(((callback: () => void, ms: number) => {
    if (ms !== delayMs) return start(callback, ms);
    held.add(callback);
    return start(() => {}, 0);
  }) as typeof setTimeout);
  return () => {
    for (const end of held) end();
    held.clear();
  };
}

/** The delay between two attempts is random, and these tests do not need it. */
const withoutDelay = () => jest.spyOn(Math, 'random').mockReturnValue(0);

describe.each(['http', 'https'] as const)(
  'After a freeze in which an idle connection died, the next call over %s reaches the server once',
  (scheme) => {
    describe.each(names)('%s', (name) => {
      const { body, isFresh = false }: Client = clients[name];
      const kept = isFresh ? 0 : 1;

      test.each<Death>(['closed', 'reset', 'forgotten'])('%s', async (how) => {
        withoutDelay();
        const server = await startServer(scheme, body);
        const call = await load(name, server.url);
        await call();
        await server.idle(kept);
        expect(server.loseConnections(how)).toBe(kept);
        // The client does not wait for an event between the thaw and the call.
        await call();
        expect(server.received).toBe(2);
      });
    });
  },
);

test.each(names)(
  'After a freeze in which the network began to drop the packets of a connection, the next call reaches the server once: %s',
  async (name) => {
    const { body, isFresh = false }: Client = clients[name];
    withoutDelay();
    const server = await startServer('http', body);
    const call = await load(name, server.url);
    await call();
    await server.idle(isFresh ? 0 : 1);
    server.loseConnections('dropped');
    const endTimeout = holdTimers(3_000);
    const dropped = server.sentIntoTheVoid();
    const result = call();
    if (!isFresh) {
      await dropped;
      endTimeout();
    }
    await result;
    expect(server.received).toBe(2);
  },
);

test('The client of DynamoDB makes its next call even if many of its concurrent connections were closed', async () => {
  const server = await startServer('https', clients.DYNAMODB.body);
  const call = await load('DYNAMODB', server.url);
  await Promise.all(Array.from({ length: 10 }, call));
  await server.idle(3);
  expect(server.loseConnections()).toBe(3);
  await call();
  expect(server.received).toBe(11);
});

describe('sendMail throws MailNotSent after three attempts', () => {
  beforeEach(withoutDelay);

  const notSent = {
    name: 'MailNotSent',
    message: 'The mail service is unreachable. No mail was sent. Send the request again later.',
  };

  test.each([
    ['the host has no address', 'https://no-such-host.invalid'],
    ['the port is closed', 'https://127.0.0.1:9'],
    ['the port is closed, without TLS', 'http://127.0.0.1:9'],
    ['all addresses of the host have a closed port', 'https://localhost:9'],
  ])('if %s', async (_, url) => {
    const send = await load('SES', url);
    expect(await send()).toMatchObject(notSent);
  });

  test.each([
    ['the certificate is not trusted', 'https', () => trust([])],
    ['the server does not support TLS', 'http', () => {}],
    [
      'the connection ends during the TLS handshake',
      'https',
      (server: StandInServer) => server.endNext(3, 'at once'),
    ],
  ] as const)('if %s', async (_, scheme, breakServer) => {
    const server = await startServer(scheme, sent);
    breakServer(server);
    const send = await load('SES', server.url.replace('http:', 'https:'));
    expect(await send()).toMatchObject(notSent);
    trust([StandInServer.certificate]);
    expect([server.accepted, server.received]).toEqual([3, 0]);
  });

  test.each(['http', 'https'])('if no connection is established in time, over %s', async (scheme) => {
    const full = await startFullServer();
    try {
      const send = await load('SES', `${scheme}://${full.host}`);
      const endTimeout = holdTimers(1_000);
      let isDone = false;
      const outcome = send().finally(() => {
        isDone = true;
      });
      outcome.catch(() => {});
      while (!isDone) {
        await turn();
        endTimeout();
      }
      expect(await outcome).toMatchObject(notSent);
    } finally {
      full.stop();
    }
  });
});

test('sendMail sends a mail once if a later attempt reaches the mail service', async () => {
  const server = await startServer('https', sent);
  server.endNext(2, 'at once');
  const send = await load('SES', server.url);
  await send();
  expect([server.accepted, server.received]).toEqual([3, 1]);
});

test.each(['http', 'https'] as const)(
  'sendMail does not try again if the connection ends after the request, because SES may have sent the mail: %s',
  async (scheme) => {
    const server = await startServer(scheme, sent);
    server.endNext(1, 'after the request');
    const send = await load('SES', server.url);
    expect(await send()).toMatchObject({ name: 'MailUnknown' });
    expect([server.accepted, server.received]).toEqual([1, 1]);
  },
);

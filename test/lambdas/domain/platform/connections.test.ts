import { setTimeout as sleep } from 'node:timers/promises';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { StandInServer, startFullServer } from '../../../support/stand-in-server.ts';

const context = () => ({ now: Date.now(), signal: AbortSignal.timeout(8_000) });
const mail = { dogId: 'rex', recipients: ['rex@example.com'], message: undefined, at: 0 };
const sent =
  '<SendEmailResponse><SendEmailResult><MessageId>1</MessageId></SendEmailResult></SendEmailResponse>';

/**
 * For each service, the body of its response, and a function that loads a new client with the current endpoint. A new query in
 * the URL of a module makes Node load it again.
 */
const clients = {
  DYNAMODB: {
    body: '{}',
    load: async (fresh: string) => {
      const { findDog } = await import(`../../../../lambdas/domain/dogs/repository.ts${fresh}`);
      return () => findDog('rex', context());
    },
  },
  SES: {
    body: sent,
    load: async (fresh: string) => {
      const { sendMail } = await import(`../../../../lambdas/domain/platform/ses.ts${fresh}`);
      return () => sendMail(mail, context());
    },
  },
  SFN: {
    body: '{"executionArn":"arn","startDate":0}',
    load: async (fresh: string) => {
      const { startWorkflow } = await import(`../../../../lambdas/domain/platform/step-functions.ts${fresh}`);
      return () => startWorkflow({ dog: 'rex', bark: 'a' }, context());
    },
  },
  SCHEDULER: {
    body: '{}',
    load: async (fresh: string) => {
      const { deleteSchedule } = await import(`../../../../lambdas/domain/schedules/eventbridge.ts${fresh}`);
      return () => deleteSchedule('rex', 'scheduleId', context());
    },
  },
  SECRETS_MANAGER: {
    body: '{"SecretString":"{}"}',
    load: async (fresh: string) => {
      const { readSecret } = await import(`../../../../lambdas/domain/platform/secrets-manager.ts${fresh}`);
      return () => readSecret('secret', context());
    },
  },
} as const;

type Service = keyof typeof clients;
const trusted = getCACertificates();
let servers: StandInServer[];
let loads = 0;

beforeAll(() => {
  Object.assign(process.env, {
    AWS_REGION: 'us-east-1',
    AWS_ACCESS_KEY_ID: 'test',
    AWS_SECRET_ACCESS_KEY: 'test',
    DOGS_TABLE: 'dogs',
    MAIL_SENDER: 'dogs@example.com',
    MAIL_CONFIGURATION_SET: 'mail',
    BARK_WORKFLOW_ARN: 'arn:aws:states:us-east-1:000000000000:stateMachine:barks',
    SCHEDULE_GROUP: 'dogs-test',
  });
});

beforeEach(() => {
  servers = [];
  setDefaultCACertificates([...trusted, StandInServer.certificate]);
});

afterEach(() => {
  setDefaultCACertificates(trusted);
  for (const server of servers) server.stop();
});

async function startServer(scheme: 'http' | 'https', body: string): Promise<StandInServer> {
  const server = new StandInServer(scheme, body);
  servers.push(server);
  await server.start();
  return server;
}

/** Loads a client that calls the given URL. */
function load(service: Service, url: string): Promise<() => Promise<unknown>> {
  process.env[`AWS_ENDPOINT_URL_${service}`] = url;
  loads += 1;
  return clients[service].load(`?${loads}`);
}

describe.each(['http', 'https'] as const)(
  'A client whose connections were closed while the function was frozen, over %s,',
  (scheme) => {
    test.each(Object.keys(clients) as Service[])('makes its next call once: %s', async (service) => {
      const server = await startServer(scheme, clients[service].body);
      const call = await load(service, server.url);
      await call();
      await sleep(50);
      const kept = server.loseConnections();
      await call();
      expect({ received: server.received, kept }).toEqual({ received: 2, kept: service === 'SES' ? 0 : 1 });
    });
  },
);

test('The client of DynamoDB makes its next call even if many of its concurrent connections were closed', async () => {
  const server = await startServer('https', clients.DYNAMODB.body);
  const call = await load('DYNAMODB', server.url);
  await Promise.all(Array.from({ length: 10 }, call));
  await sleep(50);
  expect(server.loseConnections()).toBe(3);
  await call();
  expect(server.received).toBe(11);
});

describe('sendMail throws MailNotSent after three attempts', () => {
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
    await expect(send()).rejects.toMatchObject(notSent);
  });

  test('if the certificate is not trusted', async () => {
    const server = await startServer('https', sent);
    setDefaultCACertificates(trusted);
    const send = await load('SES', server.url);
    await expect(send()).rejects.toMatchObject(notSent);
    expect([server.accepted, server.received]).toEqual([3, 0]);
  });

  test('if the server does not support TLS', async () => {
    const server = await startServer('http', sent);
    const send = await load('SES', server.url.replace('http', 'https'));
    await expect(send()).rejects.toMatchObject(notSent);
    expect([server.accepted, server.received]).toEqual([3, 0]);
  });

  test('if the connection ends during the TLS handshake', async () => {
    const server = await startServer('https', sent);
    server.endNext(3, 'at once');
    const send = await load('SES', server.url);
    await expect(send()).rejects.toMatchObject(notSent);
    expect([server.accepted, server.received]).toEqual([3, 0]);
  });

  test.each(['http', 'https'])('if no connection is established in time, over %s', async (scheme) => {
    const full = await startFullServer();
    try {
      const send = await load('SES', `${scheme}://${full.host}`);
      await expect(send()).rejects.toMatchObject(notSent);
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
    await expect(send()).rejects.toMatchObject({
      name: 'Unavailable',
      message: 'The mail service did not respond. The mail may have been sent.',
    });
    expect([server.accepted, server.received]).toEqual([1, 1]);
  },
);

import { setTimeout as sleep } from 'node:timers/promises';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { findDog } from '../../../../lambdas/domain/dogs/repository.ts';
import { database } from '../../../../lambdas/domain/platform/dynamodb.ts';
import { readSecret, secretsManager } from '../../../../lambdas/domain/platform/secrets-manager.ts';
import { sendMail, ses } from '../../../../lambdas/domain/platform/ses.ts';
import { sfn, startWorkflow } from '../../../../lambdas/domain/platform/step-functions.ts';
import { deleteSchedule, scheduler } from '../../../../lambdas/domain/schedules/eventbridge.ts';
import { newContext } from '../../../support/context.ts';
import { refillRetries } from '../../../support/faults.ts';
import { StandInServer, startFullServer } from '../../../support/stand-in-server.ts';

const mail = { dogId: 'rex', recipients: ['rex@example.com'], message: undefined, at: 0 };
const sent =
  '<SendEmailResponse><SendEmailResult><MessageId>1</MessageId></SendEmailResult></SendEmailResponse>';

/** For each service, its client, a call and the body of the response. */
const services = {
  DynamoDB: { client: database, body: '{}', call: () => findDog('rex', newContext()) },
  SES: { client: ses, body: sent, call: () => sendMail(mail, newContext()) },
  'Step Functions': {
    client: sfn,
    body: '{"executionArn":"arn","startDate":0}',
    call: () => startWorkflow({ dog: 'rex', bark: 'a' }, newContext()),
  },
  'EventBridge Scheduler': {
    client: scheduler,
    body: '{}',
    call: () => deleteSchedule('rex', 'scheduleId', newContext()),
  },
  'Secrets Manager': {
    client: secretsManager,
    body: '{"SecretString":"{}"}',
    call: () => readSecret('secret', newContext()),
  },
} as const;

type Service = keyof typeof services;
const names = Object.keys(services) as Service[];
const configOf = (name: Service) => services[name].client.config as { endpointProvider: unknown };
const endpointProviders = names.map((name) => configOf(name).endpointProvider);
const trusted = getCACertificates();
let servers: StandInServer[];

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

beforeEach(async () => {
  await refillRetries();
  servers = [];
  setDefaultCACertificates([...trusted, StandInServer.certificate]);
});

afterEach(() => {
  setDefaultCACertificates(trusted);
  for (const server of servers) server.stop();
  for (const [i, name] of names.entries()) configOf(name).endpointProvider = endpointProviders[i];
});

async function startServer(scheme: 'http' | 'https', body: string): Promise<StandInServer> {
  const server = new StandInServer(scheme, body);
  servers.push(server);
  await server.start();
  return server;
}

/** Makes the client of a service call the given URL, and returns a call. */
function connect(name: Service, url: string): () => Promise<unknown> {
  configOf(name).endpointProvider = () => ({ url: new URL(url) });
  return services[name].call;
}

describe.each(['http', 'https'] as const)(
  'A client whose connections were closed while the function was frozen, over %s,',
  (scheme) => {
    test.each(names)('makes its next call once: %s', async (service) => {
      const server = await startServer(scheme, services[service].body);
      const call = connect(service, server.url);
      await call();
      await sleep(50);
      const kept = server.loseConnections();
      await call();
      expect({ received: server.received, kept }).toEqual({ received: 2, kept: service === 'SES' ? 0 : 1 });
    });
  },
);

test('The client of DynamoDB makes its next call even if many of its concurrent connections were closed', async () => {
  const server = await startServer('https', services.DynamoDB.body);
  const call = connect('DynamoDB', server.url);
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
    const send = connect('SES', url);
    await expect(send()).rejects.toMatchObject(notSent);
  });

  test('if the certificate is not trusted', async () => {
    const server = await startServer('https', sent);
    setDefaultCACertificates(trusted);
    const send = connect('SES', server.url);
    await expect(send()).rejects.toMatchObject(notSent);
    expect([server.accepted, server.received]).toEqual([3, 0]);
  });

  test('if the server does not support TLS', async () => {
    const server = await startServer('http', sent);
    const send = connect('SES', server.url.replace('http', 'https'));
    await expect(send()).rejects.toMatchObject(notSent);
    expect([server.accepted, server.received]).toEqual([3, 0]);
  });

  test('if the connection ends during the TLS handshake', async () => {
    const server = await startServer('https', sent);
    server.endNext(3, 'at once');
    const send = connect('SES', server.url);
    await expect(send()).rejects.toMatchObject(notSent);
    expect([server.accepted, server.received]).toEqual([3, 0]);
  });

  test('if no connection is established in time', async () => {
    const full = await startFullServer();
    try {
      const send = connect('SES', `https://${full.host}`);
      await expect(send()).rejects.toMatchObject(notSent);
    } finally {
      full.stop();
    }
  });
});

test('sendMail sends a mail once if a later attempt reaches the mail service', async () => {
  const server = await startServer('https', sent);
  server.endNext(2, 'at once');
  const send = connect('SES', server.url);
  await send();
  expect([server.accepted, server.received]).toEqual([3, 1]);
});

test.each(['http', 'https'] as const)(
  'sendMail does not try again if the connection ends after the request, because SES may have sent the mail: %s',
  async (scheme) => {
    const server = await startServer(scheme, sent);
    server.endNext(1, 'after the request');
    const send = connect('SES', server.url);
    await expect(send()).rejects.toMatchObject({
      name: 'Unavailable',
      message: 'The mail service did not respond. The mail may have been sent.',
    });
    expect([server.accepted, server.received]).toEqual([1, 1]);
  },
);

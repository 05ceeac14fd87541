import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { mock } from 'node:test';
import { Gateway } from '../../../local/gateway/server.ts';
import { LocalFunction } from '../../../local/lambda/local-function.ts';
import { arn } from '../../../local/template/arns.ts';
import { readAssembly } from '../../../local/template/synthesize.ts';
import { eventually } from '../../support/client.ts';
import { apiModelOf } from '../../support/local-api.ts';
import { synthesized } from '../../support/prepare.ts';

/** The gateway responses of the stack. */
const gatewayResponses = readAssembly(synthesized)
  .template.ofType('AWS::ApiGateway::GatewayResponse')
  .map(({ properties }) => properties);
const methods = { 'GET /dogs': 'ListDogs' };

/** An authorizer that runs the code in the Authorization header, and then allows the request. */
const source = `exports.handler = async ({ headers }) => {
  await eval('(async () => {' + headers.Authorization + '})()');
  const Statement = [{ Action: 'execute-api:Invoke', Effect: 'Allow', Resource: '${arn('execute-api', '*')}' }];
  return { principalId: 'rex', policyDocument: { Version: '2012-10-17', Statement } };
};`;

const directory = mkdtempSync(join(tmpdir(), 'authorizer-'));
const logFile = join(directory, 'Guard.log');
let guard: LocalFunction;
let gateway: Gateway;
let url: string;

beforeAll(async () => {
  jest.spyOn(console, 'log').mockImplementation(() => {});
  writeFileSync(join(directory, 'index.cjs'), source);
  guard = new LocalFunction({
    name: 'Guard',
    arn: arn('lambda', 'function:Guard'),
    directory,
    handler: 'index.handler',
    timeoutSeconds: 20,
    memoryMegabytes: 16,
    environment: {},
    logFile,
  });
  gateway = new Gateway();
  url = await gateway.listen('127.0.0.1', 0);
});
afterAll(async () => {
  await gateway.close(0);
  await guard.stop();
  rmSync(directory, { recursive: true });
});

function serve(authorize: (event: unknown) => Promise<unknown>): void {
  gateway.serve(apiModelOf({ methods, gatewayResponses }), async (functionArn, event) =>
    functionArn.endsWith(':Guard') ? authorize(event) : { statusCode: 200, body: '[]' },
  );
}

const send = (authorization: string) => fetch(`${url}/dogs`, { headers: { Authorization: authorization } });

async function expectUnavailable(sent: Promise<Response>): Promise<void> {
  const response = await sent;
  expect(response.status).toBe(503);
  expect(Object.fromEntries(response.headers)).toMatchObject({
    'content-type': 'application/problem+json',
    'retry-after': '1',
    'x-amzn-errortype': 'AuthorizerConfigurationException',
  });
  expect(await response.json()).toMatchObject({ title: 'Service Unavailable', status: 503 });
}

describe('An authorizer', () => {
  test.each([
    ['throws an error', "throw new TypeError('too loud')", 'too loud'],
    ['exits', 'process.exit(1)', 'Runtime.ExitError'],
    [
      'needs more memory than it has',
      'for (const all = []; ; ) all.push({ text: String(Math.random()) })',
      'ERR_WORKER_OUT_OF_MEMORY',
    ],
  ])('that %s causes 503, and authorizes the next request', async (_, code, logged) => {
    serve((event) => guard.invoke(event));
    await expectUnavailable(send(code));
    expect((await send('return')).status).toBe(200);
    await eventually(async () => expect(readFileSync(logFile, 'utf8')).toContain(logged));
  });

  test('that does not respond within its timeout causes 503, and authorizes the next request', async () => {
    const invoked = Promise.withResolvers<void>();
    serve((event) => {
      const invocation = guard.invoke(event);
      invoked.resolve();
      return invocation;
    });
    mock.timers.enable({ apis: ['setTimeout'] });
    try {
      const sent = send('await new Promise(() => {})');
      await invoked.promise;
      mock.timers.tick(20_000);
      await expectUnavailable(sent);
    } finally {
      mock.timers.reset();
    }
    expect((await send('return')).status).toBe(200);
    expect(readFileSync(logFile, 'utf8')).toContain('"status":"timeout"');
  });

  test('that takes longer than the timeout of API Gateway causes 503', async () => {
    const invoked = Promise.withResolvers<void>();
    serve(() => {
      invoked.resolve();
      return new Promise(() => {});
    });
    mock.timers.enable({ apis: ['setTimeout'] });
    try {
      const sent = send('return');
      await invoked.promise;
      mock.timers.tick(29_000);
      await expectUnavailable(sent);
    } finally {
      mock.timers.reset();
    }
  });
});

import type { IncomingMessage } from 'node:http';
import type { APIGatewayProxyEvent } from 'aws-lambda';
import { handler as deleteLastBark } from '../../../lambdas/api/dogs/bark/delete.ts';
import { handler as getLastBark } from '../../../lambdas/api/dogs/bark/get.ts';
import { handler as postLastBark } from '../../../lambdas/api/dogs/bark/post.ts';
import { handler as deleteBarkSchedule } from '../../../lambdas/api/dogs/bark-schedule/delete.ts';
import { handler as getBarkSchedule } from '../../../lambdas/api/dogs/bark-schedule/get.ts';
import { handler as postBarkSchedule } from '../../../lambdas/api/dogs/bark-schedule/post.ts';
import { handler as deleteBark } from '../../../lambdas/api/dogs/barks/delete.ts';
import { handler as getBark } from '../../../lambdas/api/dogs/barks/get.ts';
import { handler as listBarks } from '../../../lambdas/api/dogs/barks/list.ts';
import { handler as postBarks } from '../../../lambdas/api/dogs/barks/post.ts';
import { handler as deleteDog } from '../../../lambdas/api/dogs/delete.ts';
import { handler as getDog } from '../../../lambdas/api/dogs/get.ts';
import { handler as listDogs } from '../../../lambdas/api/dogs/list.ts';
import { handler as getSubscription } from '../../../lambdas/api/dogs/mail-subscription/get.ts';
import { handler as postSubscription } from '../../../lambdas/api/dogs/mail-subscription/post.ts';
import { handler as patchDog } from '../../../lambdas/api/dogs/patch.ts';
import { handler as putDog } from '../../../lambdas/api/dogs/put.ts';
import { handler as fallback } from '../../../lambdas/api/fallback.ts';
import { handler as issueToken } from '../../../lambdas/api/oauth2/token.ts';
import { ApiModel } from '../../../local/gateway/api-model.ts';
import { integrationResponse } from '../../../local/gateway/integration.ts';
import { proxyEventOf } from '../../../local/gateway/proxy-event.ts';
import { newIds } from '../../../local/gateway/request-ids.ts';
import { segmentsOf } from '../../../local/gateway/request-parsing.ts';
import { readAssembly } from '../../../local/template/synthesize.ts';
import { context } from '../../../tools/invocation.ts';
import type { Fields } from '../../cases/case.ts';
import { type TestedService, testCases } from '../../cases/driver.ts';
import { refusedRequests } from '../../cases/groups.ts';
import { useDatabase } from '../../support/database.ts';
import { calls, injectFaults } from '../../support/faults.ts';
import { synthesized } from '../../support/prepare.ts';

useDatabase();
beforeAll(injectFaults);

const now = Date.UTC(2026, 10, 21, 12, 30, 15);
beforeAll(() => void jest.spyOn(Date, 'now').mockReturnValue(now));

const handlers: Readonly<Record<string, typeof getDog>> = {
  DeleteBark: deleteBark,
  DeleteBarkSchedule: deleteBarkSchedule,
  DeleteDog: deleteDog,
  DeleteLastBark: deleteLastBark,
  Fallback: fallback,
  GetBark: getBark,
  GetBarkSchedule: getBarkSchedule,
  GetDog: getDog,
  GetLastBark: getLastBark,
  GetMailSubscription: getSubscription,
  IssueToken: issueToken,
  ListBarks: listBarks,
  ListDogs: listDogs,
  PatchDog: patchDog,
  PostBarks: postBarks,
  PostBarkSchedule: postBarkSchedule,
  PostLastBark: postLastBark,
  PostMailSubscription: postSubscription,
  PutDog: putDog,
};

const host = 'dogs.example';
let api: ApiModel;
let names: ReadonlyMap<string, string>;
beforeAll(() => {
  const { template } = readAssembly(synthesized);
  api = new ApiModel(template);
  names = new Map(template.entryPoints.map(({ arn, lambda }) => [arn, lambda.name]));
});

/** Calls the handler of a request with the event that API Gateway sends, as the user `dog-lover`. */
const send: TestedService['send'] = async (method, path, { fields = {}, body = Buffer.alloc(0) } = {}) => {
  const [target = '', search = ''] = path.split(/\?(.*)/s);
  const match = api.match(method, segmentsOf(target));
  if (!match || !('functionArn' in match.method.integration))
    throw new Error(`${method} ${path} has no function.`);
  const handler = handlers[names.get(match.method.integration.functionArn) ?? ''];
  if (!handler) throw new Error(`${method} ${path} has no handler.`);
  const time = Date.now();
  const ids = newIds(time);
  const event = proxyEventOf(messageWith(fields), {
    api,
    match,
    httpMethod: method,
    target: { host, path: target, search },
    body,
    ids,
    time,
  });
  const requestContext = { ...event.requestContext, authorizer: { principalId: 'dog-lover' } };
  const result = await handler({ ...event, requestContext } as APIGatewayProxyEvent, context());
  const { status, headers, body: sent } = integrationResponse(result, ids);
  return {
    method,
    url: path,
    status,
    headers: new Headers(Object.fromEntries(headers)),
    text: sent.toString('utf8'),
  };
};

/**
 * Returns the parts of a message from which API Gateway makes an event. As in the black-box suite, a field with an empty value is
 * not sent, and white space around a value is not part of it.
 */
function messageWith(fields: Fields): IncomingMessage {
  const sent = Object.entries({ Host: host, ...fields }).filter(([, value]) => value !== '');
  const rawHeaders = sent.flatMap(([name, value]) => [name, value.trim()]);
  const socket = { remoteAddress: '203.0.113.7', localPort: 443 };
  return { rawHeaders, headers: {}, httpVersion: '1.1', socket } as unknown as IncomingMessage;
}

/** The operations that have an effect outside of the database. */
const external = new Set(['SendRawEmail', 'StartExecution', 'CreateSchedule', 'DeleteSchedule']);

let dogs = 0;
testCases(
  {
    driver: 'in process',
    baseUrl: `http://${host}`,
    send,
    newPath: () => `/v1/dogs/dog-${dogs++}/`,
    now: async () => now / 1000,
    effects: () => calls().filter((operation) => external.has(operation)),
  },
  refusedRequests,
);

import { join } from 'node:path';
import { Readable } from 'node:stream';
import { type AwsResponse, type Recording, replay } from './aws-stand-in.ts';
import { handler as bare } from './baselines/bare.ts';
import { median } from './statistics.ts';

/**
 * Measures one warm function in this process. A message names the function, and the reply contains the medians in microseconds.
 */

export interface WarmOrder {
  /** The module, relative to `lambdas/`. */
  readonly entry: string;
  readonly event: object;
  readonly recording: Recording;
  readonly bareEvent: object;
}

export interface WarmTimes {
  /** The time of the function's own code, with SDK clients that return at once. */
  readonly own: number;
  /** The same code with the SDK, up to the network. */
  readonly withSdk: number;
  readonly bare: number;
}

type Handler = (event: object, context: object) => Promise<unknown>;
interface Client {
  send: (command: object, ...others: unknown[]) => Promise<unknown>;
  readonly config: { readonly requestHandler: { handle: (request: SdkRequest) => Promise<unknown> } };
}
interface SdkRequest {
  readonly method: string;
  readonly path: string;
  readonly query?: Record<string, string>;
  readonly headers: Record<string, string>;
  readonly body?: string | Uint8Array;
}

const context = {
  awsRequestId: '11111111-2222-4333-8444-555555555555',
  getRemainingTimeInMillis: () => 10_000,
};

process.once('message', async (order: WarmOrder) => {
  process.send?.(await timesOf(order));
  process.disconnect();
});

async function timesOf({ entry, event, recording, bareEvent }: WarmOrder): Promise<WarmTimes> {
  const { handler }: { handler: Handler } = await import(join(import.meta.dirname, '../../lambdas', entry));
  const clients = await clientsOfFunctions();
  for (const client of clients) playTransport(client, recording);
  // A shallow copy is enough: the function may replace the event's members, but does not change them.
  const call = () => handler({ ...event }, context);
  const callBare = () => (bare as unknown as Handler)({ ...bareEvent }, context);
  const withSdk = await microseconds(call);
  await playClients(clients, call);
  const [own = 0, bareTime = 0] = await sideBySide([call, callBare]);
  return { own, withSdk, bare: bareTime };
}

async function sideBySide(runs: readonly (() => Promise<unknown>)[]): Promise<number[]> {
  const times = runs.map((): number[] => []);
  for (let turn = 0; turn < 5; turn++)
    for (const [i, run] of runs.entries()) times[i]?.push(await microseconds(run));
  return times.map(median);
}

const durationMs = 200;
const minimumCalls = 20;

/** Skips the first half of the calls, which include compilation. */
async function microseconds(run: () => Promise<unknown>): Promise<number> {
  const times: number[] = [];
  const end = performance.now() + durationMs;
  while (times.length < minimumCalls || performance.now() < end) {
    const started = performance.now();
    await run();
    times.push(1000 * (performance.now() - started));
  }
  return median(times.slice(times.length / 2));
}

async function clientsOfFunctions(): Promise<Client[]> {
  const [{ database }, { ses }, { scheduler }, { secretsManager }, { sfn }, { eventBridge }] =
    await Promise.all([
      import('../../lambdas/domain/platform/dynamodb.ts'),
      import('../../lambdas/domain/platform/ses.ts'),
      import('../../lambdas/domain/schedules/eventbridge.ts'),
      import('../../lambdas/domain/platform/secrets-manager.ts'),
      import('../../lambdas/domain/platform/step-functions.ts'),
      import('../../lambdas/domain/events/event-bus.ts'),
    ]);
  return [database, ses, scheduler, secretsManager, sfn, eventBridge] as unknown as Client[];
}

function playTransport({ config }: Client, recording: Recording): void {
  config.requestHandler.handle = async ({ method, path, query = {}, headers, body = '' }) => {
    const search = Object.entries(query).map(([name, value]) => `${name}=${encodeURIComponent(value)}`);
    const text = typeof body === 'string' ? body : new TextDecoder().decode(body);
    const url = search.length > 0 ? `${path}?${search.sort().join('&')}` : path;
    return { response: response(replay(recording, { method, path: url, headers, body: text })) };
  };
}

function response({ status, headers, body }: AwsResponse): object {
  const lowerCased = Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]);
  return {
    statusCode: status,
    headers: Object.fromEntries(lowerCased),
    body: Readable.from([Buffer.from(body)]),
  };
}

/** Calls the function once. From then on, the clients replay the results of its AWS calls, in order. */
async function playClients(clients: readonly Client[], call: () => Promise<unknown>): Promise<void> {
  const outputs: unknown[] = [];
  for (const client of clients) {
    const send = client.send.bind(client);
    client.send = async (...sent) => {
      const place = outputs.push(undefined) - 1;
      outputs[place] = await send(...sent);
      return outputs[place];
    };
  }
  await call();
  let next = 0;
  for (const client of clients) client.send = async () => outputs[next++ % outputs.length];
}

import { AsyncLocalStorage } from 'node:async_hooks';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { setImmediate } from 'node:timers/promises';
import PostalMime from 'postal-mime';
import { eventBridge } from '../../lambdas/domain/events/event-bus.ts'; // @extension events
import { database } from '../../lambdas/domain/platform/dynamodb.ts';
import { secretsManager } from '../../lambdas/domain/platform/secrets-manager.ts';
import { ses } from '../../lambdas/domain/platform/ses.ts';
import { sfn, type WorkflowInput } from '../../lambdas/domain/platform/step-functions.ts';
import { scheduler } from '../../lambdas/domain/schedules/eventbridge.ts';
import { readFile, useDatabase } from './database.ts';
import { acceptEntries, acceptOthers } from './published-events.ts'; // @extension events

/**
 * A fault of a call:
 *
 * - The call fails before the service receives it, or gets no connection.
 * - The function's open sockets died while the function was frozen, so a call on one of them does not reach the service.
 * - The call succeeds, but its response is lost. The service may also have forgotten the token of the call.
 * - The call reads only half of the keys of a BatchGetItem, and returns the others as unprocessed.
 * - The call hangs or the process dies, before or after the call has succeeded.
 * - The service refuses the call. A wrong clock of the function, for example, makes the signature of the call invalid.
 * - Another event happens before the call.
 */
export type Fault =
  | 'fails before'
  | 'no connection'
  | 'sockets died'
  | 'response lost'
  | 'response and token lost'
  | 'half unprocessed'
  | 'entry not accepted' // @extension events
  | 'hangs'
  | 'hangs after'
  | 'dies'
  | 'dies after'
  | keyof typeof refusals
  | ((request: Request) => Promise<unknown>);

interface Request {
  readonly method?: string;
  readonly path?: string;
  readonly headers: Record<string, string>;
  body?: unknown;
}
type Options = { readonly abortSignal?: AbortSignal };
interface SimulatedResponse {
  readonly response: { readonly headers?: Record<string, string>; body: Readable };
}
type Handle = (request: Request, options?: Options) => Promise<SimulatedResponse>;
type Refusal = { readonly code: string; readonly message?: string };
interface Transport {
  handle: Handle;
  readonly configProvider: Promise<{ readonly httpsAgent: { readonly keepAlive: boolean } }>;
}

/** An AWS service. */
interface Service {
  readonly handle: Handle;
  readonly refuse: (refusal: Refusal) => SimulatedResponse;
  /** True if the client reuses its sockets for several calls. */
  readonly keepsSockets: () => Promise<boolean>;
}

type Gate = (operation: string, pass: () => Promise<SimulatedResponse>) => Promise<SimulatedResponse>;

let gate: Gate = (_, pass) => pass();
let splitsBatches = false;

/** An email that SES accepted. */
export interface Sent {
  readonly to: string[];
  readonly subject: string;
  readonly text: string;
  readonly html: string;
  /** The header field List-Unsubscribe. */
  readonly unsubscribe?: string;
}

/** Returns the email that a SendRawEmail call sends. */
async function sentBy(parameters: URLSearchParams): Promise<Sent> {
  const source = Buffer.from(parameters.get('RawMessage.Data') ?? '', 'base64');
  const { subject = '', text = '', html = '', headers } = await PostalMime.parse(source);
  const unsubscribe = headers.find(({ key }) => key === 'list-unsubscribe')?.value;
  return {
    to: [...parameters].filter(([key]) => key.startsWith('Destinations.')).map(([, address]) => address),
    subject,
    text: text.replaceAll('\r\n', '\n'),
    html: html.replaceAll('\r\n', '\n'),
    ...(unsubscribe !== undefined && { unsubscribe }),
  };
}

/** A process that calls AWS, with the planned faults of its calls and the results of the calls. */
export class Process {
  /** True after the process has died. Its further calls have no effect. */
  dead = false;
  /** The operations whose calls reached the network, in order. */
  readonly made: string[] = [];
  /** The number of calls with a fault. */
  faults = 0;
  private readonly planned: { operation: string; fault: Fault; times: number; after: number }[] = [];
  private readonly mails: { readonly parameters: URLSearchParams; readonly sent: Sent }[] = [];
  private readonly underWay = new Set<Promise<unknown>>();
  private readonly death = Promise.withResolvers<undefined>();

  /** Plans a fault for calls of an operation. @param after the number of calls before the first call with the fault */
  plan(operation: string, fault: Fault, times = 1, after = 0): void {
    this.planned.push({ operation, fault, times, after });
  }

  /**
   * Runs a function as this process, until the function ends or the process dies. Other processes can run concurrently.
   *
   * @returns the result of the function, or undefined if the process died
   */
  async run<Result>(work: () => Promise<Result>): Promise<Result | undefined> {
    try {
      return await Promise.race([processes.run(this, work), this.death.promise]);
    } finally {
      // Calls that have reached the network take effect even if the process has died, and a function that has timed out can make
      // one more call, to release what it claimed.
      for (let turn = 0; turn < 10; turn++) {
        await Promise.allSettled(this.underWay);
        await setImmediate();
      }
    }
  }

  /** Returns the emails that SES accepted. */
  sent(): readonly Sent[] {
    return this.mails.map(({ sent }) => sent);
  }

  /** Returns the parameters of the calls that sent these emails. */
  mailParameters(): readonly URLSearchParams[] {
    return this.mails.map(({ parameters }) => parameters);
  }

  async take(parameters: URLSearchParams): Promise<void> {
    this.mails.push({ parameters, sent: await sentBy(parameters) });
  }

  /** Makes a call with its planned fault, if any. */
  async call(
    operation: string,
    { handle, refuse, keepsSockets }: Service,
    request: Request,
    options: Options = {},
  ): Promise<SimulatedResponse> {
    if (this.dead) return never();
    if (options.abortSignal?.aborted) throw aborted();
    this.made.push(operation);
    const fault = this.nextFault(operation);
    if (fault === undefined) return this.happen(handle, request, options);
    this.faults += 1;
    if (fault === 'hangs') return abortOf(options);
    if (fault === 'dies') return this.die();
    if (fault === 'fails before') throw connectionLost();
    if (fault === 'no connection') throw notConnected();
    if (fault === 'sockets died') {
      if (await keepsSockets()) throw connectionLost();
      return this.happen(handle, request, options);
    }
    if (fault === 'half unprocessed')
      return this.happen((whole) => readHalf(handle, whole), request, options);
    // @extension events {
    if (fault === 'entry not accepted')
      return this.happen(
        async ({ body }) => respondWith(200, JSON.stringify(acceptOthers(jsonOf(body)))),
        request,
        options,
      );
    // @extension events }
    if (typeof fault === 'string' && fault in refusals)
      return refuse(refusals[fault as keyof typeof refusals]);
    if (typeof fault === 'function') await fault(request);
    const outcome = await this.happen(handle, request, options);
    if (typeof fault === 'function') return outcome;
    ignore(outcome);
    if (fault === 'hangs after') return abortOf(options);
    if (fault === 'dies after') return this.die();
    if (fault === 'response and token lost')
      this.planned.unshift({ operation, fault: async (again) => forgetToken(again), times: 1, after: 0 });
    throw connectionLost();
  }

  private nextFault(operation: string): Fault | undefined {
    const next = this.planned.find((one) => one.operation === operation && one.times > 0);
    if (!next) return undefined;
    if (next.after > 0) {
      next.after -= 1;
      return undefined;
    }
    next.times -= 1;
    return next.fault;
  }

  private async happen(handle: Handle, request: Request, options: Options): Promise<SimulatedResponse> {
    const happening = handle(request);
    this.underWay.add(happening);
    try {
      const outcome = await Promise.race([happening, abortOf(options)]);
      if (!this.dead) return outcome;
      ignore(outcome);
      return never();
    } catch (error) {
      happening.then(ignore, () => {});
      throw error;
    } finally {
      const forget = () => this.underWay.delete(happening);
      happening.then(forget, forget);
    }
  }

  private die(): Promise<never> {
    this.dead = true;
    this.death.resolve(undefined);
    return never();
  }
}

const processes = new AsyncLocalStorage<Process>();
let usual = new Process();
const schedules = new Map<string, StandingSchedule>();
const executions = new Map<string, WorkflowInput>();

/** Returns the current process or, outside of `Process.run`, the default process. */
export function running(): Process {
  return processes.getStore() ?? usual;
}

/** Plans a fault for the next calls of an operation. The fault occurs at the network, below the SDK and its retries. */
export function plan(operation: string, fault: Fault, times = 1): void {
  running().plan(operation, fault, times);
}

/**
 * Sets a gate for all calls. A call passes the gate before its fault and before it reaches the network.
 *
 * @param splits `splitsBatches`: true if each key of a BatchGetItem passes the gate separately, because DynamoDB can read the items at
 *   different moments
 */
export function gateCalls(by: Gate, splits: { readonly splitsBatches: boolean }): void {
  gate = by;
  splitsBatches = splits.splitsBatches;
}

/** Returns the operations whose calls have reached the network since the last `reset`, in order. */
export function calls(): readonly string[] {
  return running().made;
}

/** Returns the emails that SES has accepted since the last `reset`. */
export function sent(): readonly Sent[] {
  return running().sent();
}

/** A schedule in EventBridge Scheduler. */
export interface StandingSchedule {
  /** The ID of the dog, a dot and the `scheduleId`. */
  readonly Name: string;
  readonly ScheduleExpression: string;
  /** Unix seconds. */
  readonly StartDate?: number;
  readonly ActionAfterCompletion?: string;
  readonly ClientToken?: string;
  readonly Target: { readonly Input: string };
}

/** Returns the schedules of one dog or of all dogs in EventBridge Scheduler. `reset` does not delete them. */
export function standing(dog = ''): readonly StandingSchedule[] {
  return [...schedules].filter(([name]) => name.startsWith(dog && `${dog}.`)).map(([, schedule]) => schedule);
}

/**
 * Returns the schedule of a dog in EventBridge Scheduler.
 *
 * @throws Error if the dog has none
 */
export function standingOf(dog: string): StandingSchedule {
  const [schedule] = standing(dog);
  if (!schedule) throw new Error(`EventBridge Scheduler has no schedule of the dog "${dog}".`);
  return schedule;
}

/** Deletes a schedule, as EventBridge Scheduler itself does after the last occurrence of a one-time schedule. */
export function forget(schedule: StandingSchedule): void {
  for (const [name, one] of schedules) if (one === schedule) schedules.delete(name);
}

/** Returns the inputs of the started executions of one dog or of all dogs. `reset` does not delete them. */
export function started(dog?: string): readonly WorkflowInput[] {
  return [...executions.values()].filter((input) => dog === undefined || input.dog === dog);
}

/** The secrets of Secrets Manager, by name. `reset` does not delete them. */
export const secrets = new Map<string, string>();
const secretVersions = new Set<string>();

/** Deletes all secrets and their versions. */
export function clearSecrets(): void {
  secrets.clear();
  secretVersions.clear();
}

export function reset(): void {
  usual = new Process();
}

/** Prepares the database and the fault injector for the tests of a file. Each test begins in a new process. */
export function useFunctions(): void {
  useDatabase();
  beforeAll(injectFaults);
  beforeEach(reset);
}

/**
 * Installs the fault injector below the clients. DynamoDB is the embedded database. This module simulates the other services.
 */
export function injectFaults(): void {
  const transport = database.config.requestHandler as unknown as Transport;
  const handle: Handle = transport.handle.bind(transport);
  const byTarget = ({ headers }: Request) => headers['x-amz-target']?.split('.')[1] ?? '';
  const toDatabase: Handle = async (request) => {
    const read = readFile(byTarget(request), jsonOf(request.body));
    if (read !== undefined) return respondWith(200, read);
    const outcome = await handle(request);
    // The SDK would compare this date with the clock of the process, which can differ.
    delete outcome.response.headers?.date;
    return outcome;
  };
  inject(database, byTarget, {
    handle: toDatabase,
    refuse: ({ code, ...more }) =>
      respondWith(400, JSON.stringify({ __type: `com.amazonaws.dynamodb.v20120810#${code}`, ...more })),
  });
  inject(ses, ({ body }) => new URLSearchParams(String(body)).get('Action') ?? '', {
    handle: async ({ body }) => {
      await running().take(new URLSearchParams(String(body)));
      return respondWith(
        200,
        '<SendRawEmailResponse><SendRawEmailResult><MessageId>1</MessageId></SendRawEmailResult></SendRawEmailResponse>',
      );
    },
    refuse: ({ code, message = '' }) => {
      const name = code === 'InvalidSignatureException' ? 'SignatureDoesNotMatch' : code;
      const error = `<Error><Type>Sender</Type><Code>${name}</Code><Message>${message}</Message></Error>`;
      return respondWith(400, `<ErrorResponse>${error}</ErrorResponse>`);
    },
  });
  inject(scheduler, ({ method = '' }) => scheduleOperations[method] ?? '', {
    handle: async (request) => playScheduler(request),
    refuse: ({ code, message }) =>
      failure(code === 'MessageRejected' ? 'ValidationException' : code, message),
  });
  const plays: readonly [Parameters<typeof inject>[0], (request: Request) => SimulatedResponse][] = [
    [sfn, playStepFunctions],
    [eventBridge, ({ body }) => respondWith(200, JSON.stringify(acceptEntries(jsonOf(body))))], // @extension events
    [secretsManager, playSecretsManager],
  ];
  for (const [client, play] of plays)
    inject(client, byTarget, {
      handle: async (request) => play(request),
      refuse: ({ code, message }) => respondWith(400, JSON.stringify({ __type: code, message })),
    });
}

function playStepFunctions({ body }: Request): SimulatedResponse {
  const { name, input } = jsonOf(body);
  if (name !== undefined) executions.set(name, JSON.parse(input));
  return respondWith(200, JSON.stringify({ executionArn: 'arn', startDate: 0, stopDate: 0 }));
}

function playSecretsManager({ headers, body }: Request): SimulatedResponse {
  const { SecretId, SecretString, ClientRequestToken } = jsonOf(body);
  if (headers['x-amz-target']?.endsWith('PutSecretValue')) {
    // A version is written only once. A repeat changes nothing, even if another version is current by now.
    const version = `${SecretId} ${ClientRequestToken}`;
    if (!secretVersions.has(version)) secrets.set(SecretId, SecretString);
    secretVersions.add(version);
  }
  const value = secrets.get(SecretId);
  return value === undefined
    ? respondWith(400, JSON.stringify({ __type: 'ResourceNotFoundException' }))
    : respondWith(200, JSON.stringify({ ARN: SecretId, Name: SecretId, SecretString: value }));
}

const scheduleOperations: Record<string, string> = {
  DELETE: 'DeleteSchedule',
  GET: 'GetSchedule',
  POST: 'CreateSchedule',
};

function playScheduler({ method, path = '', body }: Request): SimulatedResponse {
  const name = path.split('/').at(-1) ?? '';
  const found = schedules.get(name);
  if (method === 'POST') {
    const schedule = { ...jsonOf(body), Name: name };
    // The token makes CreateSchedule idempotent.
    if (found && found.ClientToken !== schedule.ClientToken) return failure('ConflictException');
    schedules.set(name, found ?? schedule);
    return respondWith(200, JSON.stringify({ ScheduleArn: name }));
  }
  if (!found) return failure('ResourceNotFoundException');
  if (method === 'GET') return respondWith(200, JSON.stringify(found));
  schedules.delete(name);
  return respondWith(200, '{}');
}

function jsonOf(body: unknown) {
  return JSON.parse(new TextDecoder().decode(body as Uint8Array));
}

function failure(code: string, message = code): SimulatedResponse {
  const statuses: Record<string, number> = {
    ConflictException: 409,
    ResourceNotFoundException: 404,
    ThrottlingException: 429,
  };
  return respondWith(statuses[code] ?? 400, JSON.stringify({ Message: message }), {
    'x-amzn-errortype': code,
  });
}

const refusals = {
  throttled: { code: 'ThrottlingException' },
  conflict: {
    code: 'TransactionCanceledException',
    CancellationReasons: [{ Code: 'None' }, { Code: 'TransactionConflict' }],
  },
  'transaction conflict': { code: 'TransactionConflictException' },
  refused: { code: 'MessageRejected' },
  'sender refused': { code: 'AccountSendingPausedException' },
  'concurrent change': { code: 'ConflictException' },
  'clock was wrong': {
    code: 'InvalidSignatureException',
    message:
      'Signature expired: 20261121T110000Z is now earlier than 20261121T115500Z (20261121T120000Z - 5 min.)',
  },
};

/** Passes each call of a client to the process that makes it. */
function inject(
  client: { readonly config: { readonly requestHandler: unknown } },
  operationOf: (request: Request) => string,
  service: Omit<Service, 'keepsSockets'>,
): void {
  const transport = client.config.requestHandler as Transport;
  const keepsSockets = async () => (await transport.configProvider).httpsAgent.keepAlive;
  transport.handle = async (request, options) => {
    const [operation, process] = [operationOf(request), running()];
    const make = (part: Request) =>
      gate(operation, () => process.call(operation, { ...service, keepsSockets }, part, options));
    if (!splitsBatches || operation !== 'BatchGetItem') return make(request);
    const parts = keysIn(request).map((one) => batchOf(request, [one]));
    return mergedBatch(await Promise.all(parts.map(make)));
  };
}

/** A key in a BatchGetItem, with its table. */
type BatchKey = readonly [table: string, key: object];

function keysIn({ body }: Request): BatchKey[] {
  const { RequestItems } = jsonOf(body) as { RequestItems: Record<string, { Keys: object[] }> };
  return Object.entries(RequestItems).flatMap(([table, { Keys }]) =>
    Keys.map((key): BatchKey => [table, key]),
  );
}

function requestItemsOf(keys: readonly BatchKey[]): object {
  const tables = [...new Set(keys.map(([table]) => table))];
  const keysOf = (name: string) => keys.filter(([table]) => table === name).map(([, key]) => key);
  return Object.fromEntries(tables.map((table) => [table, { Keys: keysOf(table), ConsistentRead: true }]));
}

/** Returns a BatchGetItem with other keys. */
function batchOf(request: Request, keys: readonly BatchKey[]): Request {
  const body = Buffer.from(JSON.stringify({ ...jsonOf(request.body), RequestItems: requestItemsOf(keys) }));
  return { ...request, headers: { ...request.headers, 'content-length': String(body.length) }, body };
}

async function mergedBatch(parts: readonly SimulatedResponse[]): Promise<SimulatedResponse> {
  const Responses: Record<string, object[]> = {};
  for (const { response } of parts) {
    const part = JSON.parse(String(await buffer(response.body))) as { Responses: Record<string, object[]> };
    for (const [table, items] of Object.entries(part.Responses))
      Responses[table] = [...(Responses[table] ?? []), ...items];
  }
  return respondWith(200, JSON.stringify({ Responses, UnprocessedKeys: {} }));
}

/** Performs a BatchGetItem for the second half of its keys, and returns the first half as unprocessed. */
async function readHalf(handle: Handle, request: Request): Promise<SimulatedResponse> {
  const keys = keysIn(request);
  const middle = Math.ceil(keys.length / 2);
  const UnprocessedKeys = requestItemsOf(keys.slice(0, middle));
  const read = keys.slice(middle);
  if (read.length === 0) return respondWith(200, JSON.stringify({ Responses: {}, UnprocessedKeys }));
  const { response } = await handle(batchOf(request, read));
  return respondWith(
    200,
    JSON.stringify({ ...JSON.parse(String(await buffer(response.body))), UnprocessedKeys }),
  );
}

/** Waits for the abort of a call, and rejects as the SDK's own transport does. */
function abortOf({ abortSignal }: Options): Promise<never> {
  return new Promise((_, reject) => {
    if (abortSignal?.aborted) reject(aborted());
    abortSignal?.addEventListener('abort', () => reject(aborted()));
  });
}

/** Reads an unused response to its end, so that its connection can be reused. */
function ignore({ response }: SimulatedResponse): void {
  response.body.resume();
}

function never(): Promise<never> {
  return new Promise(() => {});
}

function aborted(): Error {
  return Object.assign(new Error('Request aborted'), { name: 'AbortError' });
}

/** Restores the retry capacity of the clients, which retries reduce, to that of a new execution environment. */
export async function refillRetries(): Promise<void> {
  const clients = [
    database,
    eventBridge, // @extension events
    scheduler,
    secretsManager,
    sfn,
  ];
  for (const client of clients) Object.assign(await client.config.retryStrategy(), { capacity: 500 });
}

function forgetToken(request: Request): void {
  const body = new TextDecoder().decode(request.body as Uint8Array);
  const changed = body.replace(/("Client(?:Request)?Token":)"[^"]+"/, `$1"${crypto.randomUUID()}"`);
  request.body = new TextEncoder().encode(changed);
}

function respondWith(
  statusCode: number,
  body: string,
  headers: Record<string, string> = {},
): SimulatedResponse {
  const response = {
    statusCode,
    headers: { 'content-type': 'text/xml', ...headers },
    body: Readable.from([Buffer.from(body)]),
  };
  return { response };
}

function connectionLost(): Error {
  return Object.assign(new Error('socket hang up'), { code: 'ECONNRESET', name: 'Error' });
}

function notConnected(): Error {
  return Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED', syscall: 'connect' });
}

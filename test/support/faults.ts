import { Readable } from 'node:stream';
import { database } from '../../lambdas/domain/database.ts';
import { ses } from '../../lambdas/domain/mail.ts';
import { scheduler } from '../../lambdas/domain/scheduler.ts';
import { secretsManager } from '../../lambdas/domain/secrets.ts';
import { sfn } from '../../lambdas/domain/workflow.ts';

/**
 * What goes wrong with a call: it never happens; it happens, but its answer is lost, and perhaps also that its token was
 * seen, as where the embedded database dies; it never ends, as if the process had died before it or after it; the service
 * refuses it; or something else happens first.
 */
export type Fault =
  | 'fails before'
  | 'answer lost'
  | 'answer and token lost'
  | 'hangs'
  | 'hangs after'
  | keyof typeof refusals
  | ((request: Request) => Promise<unknown>);

interface Request {
  readonly method?: string;
  readonly path?: string;
  readonly headers: Record<string, string>;
  body?: unknown;
}
type Handle = (request: Request, options?: { abortSignal?: AbortSignal }) => Promise<unknown>;
interface Transport {
  handle: Handle;
}

type Gate = (operation: string, pass: () => Promise<unknown>) => Promise<unknown>;

let gate: Gate = (_, pass) => pass();
let planned: { operation: string; fault: Fault; times: number }[] = [];
let made: string[] = [];
let mails: URLSearchParams[] = [];
const schedules = new Map<string, StandingSchedule>();

/** Plans a fault for the next calls of an operation, where the network would be: below the SDK and its retries. */
export function plan(operation: string, fault: Fault, times = 1): void {
  planned.push({ operation, fault, times });
}

/** Has each call pass a gate, before it reaches the network and before its fault. */
export function gateCalls(by: Gate): void {
  gate = by;
}

/** The operations that reached the network since the last `reset`, in their order. */
export function calls(): readonly string[] {
  return made;
}

/** The mails that SES took since the last `reset`. */
export function sent(): readonly {
  readonly to: string[];
  readonly subject: string;
  readonly text: string;
}[] {
  return mails.map((mail) => ({
    to: [...mail].filter(([key]) => key.startsWith('Destination.')).map(([, address]) => address),
    subject: mail.get('Message.Subject.Data') ?? '',
    text: mail.get('Message.Body.Text.Data') ?? '',
  }));
}

/** A schedule that stands at the scheduler. */
export interface StandingSchedule {
  readonly ScheduleExpression: string;
  /** Unix seconds. */
  readonly StartDate?: number;
  readonly ActionAfterCompletion?: string;
  readonly Target: { readonly Input: string };
}

/** The schedules that stand at the scheduler, of a dog or of all, whatever was reset. */
export function standing(dog = ''): readonly StandingSchedule[] {
  return [...schedules].filter(([name]) => name.startsWith(dog && `${dog}.`)).map(([, schedule]) => schedule);
}

/** The secrets that Secrets Manager has, by their names, whatever was reset. */
export const secrets = new Map<string, string>();
const secretVersions = new Set<string>();

/** Takes all secrets away, and what was put before. */
export function clearSecrets(): void {
  secrets.clear();
  secretVersions.clear();
}

export function reset(): void {
  planned = [];
  made = [];
  mails = [];
}

/** Puts the injector below the clients. All but DynamoDB, which is the embedded one, are played here. */
export function injectFaults(): void {
  const transport = database.config.requestHandler as unknown as Transport;
  const toDatabase: Handle = transport.handle.bind(transport);
  transport.handle = withFaults(
    ({ headers }) => headers['x-amz-target']?.split('.')[1] ?? '',
    toDatabase,
    ({ code, ...more }) =>
      answer(400, JSON.stringify({ __type: `com.amazonaws.dynamodb.v20120810#${code}`, ...more })),
  );
  (ses.config.requestHandler as unknown as Transport).handle = withFaults(
    ({ body }) => new URLSearchParams(String(body)).get('Action') ?? '',
    async ({ body }) => {
      mails.push(new URLSearchParams(String(body)));
      return answer(
        200,
        '<SendEmailResponse><SendEmailResult><MessageId>1</MessageId></SendEmailResult></SendEmailResponse>',
      );
    },
    ({ code }) =>
      answer(400, `<ErrorResponse><Error><Type>Sender</Type><Code>${code}</Code></Error></ErrorResponse>`),
  );
  (sfn.config.requestHandler as unknown as Transport).handle = withFaults(
    ({ headers }) => headers['x-amz-target']?.split('.')[1] ?? '',
    async () => answer(200, JSON.stringify({ executionArn: 'arn', startDate: 0, stopDate: 0 })),
    ({ code }) => answer(400, JSON.stringify({ __type: code })),
  );
  (scheduler.config.requestHandler as unknown as Transport).handle = withFaults(
    ({ method }) => (method === 'DELETE' ? 'DeleteSchedule' : 'CreateSchedule'),
    async (request) => playScheduler(request),
    ({ code }) => failure(code === 'MessageRejected' ? 'ValidationException' : code),
  );
  (secretsManager.config.requestHandler as unknown as Transport).handle = withFaults(
    ({ headers }) => headers['x-amz-target']?.split('.')[1] ?? '',
    async (request) => playSecretsManager(request),
    ({ code }) => answer(400, JSON.stringify({ __type: code })),
  );
}

function playSecretsManager({ headers, body }: Request): object {
  const { SecretId, SecretString, ClientRequestToken } = JSON.parse(
    new TextDecoder().decode(body as Uint8Array),
  );
  if (headers['x-amz-target']?.endsWith('PutSecretValue')) {
    // A version is put once: its repeat changes nothing, even if another is current by now.
    const version = `${SecretId} ${ClientRequestToken}`;
    if (!secretVersions.has(version)) secrets.set(SecretId, SecretString);
    secretVersions.add(version);
  }
  const value = secrets.get(SecretId);
  return value === undefined
    ? answer(400, JSON.stringify({ __type: 'ResourceNotFoundException' }))
    : answer(200, JSON.stringify({ ARN: SecretId, Name: SecretId, SecretString: value }));
}

function playScheduler({ method, path = '', body }: Request): object {
  const name = path.split('/').at(-1) ?? '';
  if (method === 'DELETE')
    return schedules.delete(name) ? answer(200, '{}') : failure('ResourceNotFoundException');
  if (schedules.has(name)) return failure('ConflictException');
  schedules.set(name, JSON.parse(new TextDecoder().decode(body as Uint8Array)));
  return answer(200, JSON.stringify({ ScheduleArn: name }));
}

function failure(code: string): object {
  const statuses: Record<string, number> = {
    ConflictException: 409,
    ResourceNotFoundException: 404,
    ThrottlingException: 429,
  };
  return answer(statuses[code] ?? 400, JSON.stringify({ Message: code }), { 'x-amzn-errortype': code });
}

const refusals = {
  throttled: { code: 'ThrottlingException' },
  conflict: {
    code: 'TransactionCanceledException',
    CancellationReasons: [{ Code: 'None' }, { Code: 'TransactionConflict' }],
  },
  refused: { code: 'MessageRejected' },
};

function withFaults(
  operationOf: (request: Request) => string,
  handle: Handle,
  refuse: (refusal: { code: string }) => unknown,
): Handle {
  const pass = async (operation: string, request: Request, options?: Parameters<Handle>[1]) => {
    made.push(operation);
    const next = planned.find((one) => one.operation === operation && one.times > 0);
    if (!next) return handle(request, options);
    next.times -= 1;
    const { fault } = next;
    if (fault === 'hangs') return neverEnds(options);
    if (fault === 'fails before') throw connectionLost();
    if (typeof fault === 'string' && fault in refusals)
      return refuse(refusals[fault as keyof typeof refusals]);
    if (typeof fault === 'function') await fault(request);
    const answered = await handle(request, options);
    if (fault === 'hangs after') return neverEnds(options);
    if (fault === 'answer and token lost')
      planned.unshift({ operation, fault: async (again) => forgetToken(again), times: 1 });
    if (fault === 'answer lost' || fault === 'answer and token lost') throw connectionLost();
    return answered;
  };
  return (request, options) => {
    const operation = operationOf(request);
    return gate(operation, () => pass(operation, request, options));
  };
}

function neverEnds(options?: { abortSignal?: AbortSignal }): Promise<never> {
  return new Promise((_, reject) => options?.abortSignal?.addEventListener('abort', reject));
}

function forgetToken(request: Request): void {
  const token = `"ClientRequestToken":"${crypto.randomUUID()}"`;
  const body = new TextDecoder().decode(request.body as Uint8Array);
  request.body = body.replace(/"ClientRequestToken":"[^"]+"/, token);
}

function answer(statusCode: number, body: string, headers: Record<string, string> = {}): object {
  return {
    response: {
      statusCode,
      headers: { 'content-type': 'text/xml', ...headers },
      body: Readable.from([Buffer.from(body)]),
    },
  };
}

function connectionLost(): Error {
  return Object.assign(new Error('socket hang up'), { code: 'ECONNRESET', name: 'Error' });
}

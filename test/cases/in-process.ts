import { AsyncLocalStorage } from 'node:async_hooks';
import type { IncomingMessage } from 'node:http';
import {
  ApiModel,
  integrationResponse,
  newIds,
  proxyEventOf,
  segmentsOf,
} from '@rest-actions/local-cloud/parts';
import { timeOf } from '../../lambdas/domain/barks/bark.ts';
import { NotYet } from '../../lambdas/domain/platform/errors.ts';
import type { WorkflowInput } from '../../lambdas/domain/platform/step-functions.ts';
import { timer } from '../../lambdas/domain/platform/timer.ts';
import { handler as barkOnSchedule } from '../../lambdas/jobs/bark-on-schedule.ts';
import { handler as performBark } from '../../lambdas/jobs/perform-bark.ts';
import { openApiDocument } from '../../openapi/document.ts';
import { context } from '../../tools/invocation.ts';
import { Contract } from '../support/contract.ts';
import { useDatabase } from '../support/database.ts';
import { calls, injectFaults, type StandingSchedule, sent, standing, started } from '../support/faults.ts';
import { handlers } from '../support/invoke-route.ts';
import { ofWorker, synthesizedAssembly } from '../support/of-worker.ts';
import { firingTimeOf, occurrenceOf } from '../support/schedules.ts';
import type { Driver } from './driver.ts';

const host = 'dogs.example';
const baseUrl = `http://${host}`;
const windowSeconds = 5;
/** No function of a route has a longer timeout. */
const longestTimeoutMs = 29_000;

useDatabase();

/** The time of the service, in milliseconds since 1970. It advances by a millisecond with each change, so that the barks have an order. */
let now = Date.UTC(2026, 10, 21, 12, 30, 15);
let api: ApiModel;
let names: ReadonlyMap<string, string>;

beforeAll(() => {
  injectFaults();
  process.env.CANCELLATION_WINDOW_SECONDS = String(windowSeconds);
  jest.spyOn(Date, 'now').mockImplementation(() => now);
  jest.spyOn(timer, 'sleep').mockImplementation((milliseconds) => passTime(milliseconds / 1000));
  const { template } = synthesizedAssembly();
  api = new ApiModel(template);
  names = new Map(template.entryPoints.map(({ arn, lambda }) => [arn, lambda.name]));
});

/** Calls the handler of a request with the event that API Gateway sends, as the user `dog-lover`. */
async function send(url: string, { method = '', headers, body }: RequestInit): Promise<Response> {
  const [path = '', search = ''] = url.slice(baseUrl.length).split(/\?(.*)/s);
  const match = api.match(method, segmentsOf(path));
  if (!match || !('functionArn' in match.method.integration))
    throw new Error(`${method} ${path} has no function.`);
  const handler = handlers.get(names.get(match.method.integration.functionArn) ?? '');
  if (!handler) throw new Error(`${method} ${path} has no handler.`);
  const ids = newIds(now);
  const event = proxyEventOf(messageWith(headers as [string, string][]), {
    api,
    match,
    httpMethod: method,
    target: { host, path, search },
    body: Buffer.from((body ?? '') as string),
    ids,
    time: now,
  });
  const requestContext = { ...event.requestContext, authorizer: { principalId: 'dog-lover' } };
  const result = await handler({ ...event, requestContext }, context(longestTimeoutMs));
  const response = integrationResponse(result, ids);
  if (method !== 'GET' && response.status < 400) now += 1;
  const text = response.body.toString('utf8');
  return new Response(text || null, {
    status: response.status,
    headers: [...response.headers] as [string, string][],
  });
}

/**
 * Returns the parts of a message from which API Gateway makes an event. As with `fetch`, white space around a value is not part of
 * it.
 */
function messageWith(fields: readonly [string, string][]): IncomingMessage {
  const rawHeaders = [['Host', host], ...fields].flatMap(([name = '', value = '']) => [name, value.trim()]);
  const socket = { remoteAddress: '203.0.113.7', localPort: 443 };
  return { rawHeaders, headers: {}, httpVersion: '1.1', socket } as unknown as IncomingMessage;
}

/** An invocation of a job at a time in milliseconds: an occurrence of a schedule, or a bark at the end of its cancellation window. */
interface Due {
  readonly time: number;
  readonly happen: () => Promise<unknown>;
}

const performed = new Set<string>();
const delivered = new Map<string, number>();
const retries = new Set<Due>();

function nextDue(): Due | undefined {
  const barks = started().filter(({ bark }) => !performed.has(bark));
  const all = [...barks.map(dueOfBark), ...standing().flatMap(dueOfSchedule), ...retries];
  return all.sort((a, b) => a.time - b.time)[0];
}

function dueOfBark(input: WorkflowInput): Due {
  const happen = () => {
    performed.add(input.bark);
    return performBark(input, context());
  };
  return { time: timeOf(input.bark) + windowSeconds * 1000, happen };
}

/** Returns the next occurrence of a schedule. A schedule of one bark has at most one. */
function dueOfSchedule(schedule: StandingSchedule): Due[] {
  const n = delivered.get(schedule.Name) ?? 0;
  if (n > 0 && schedule.ScheduleExpression.startsWith('at')) return [];
  const happen = () => {
    delivered.set(schedule.Name, n + 1);
    return barkOnSchedule(occurrenceOf(schedule, n), context());
  };
  return [{ time: firingTimeOf(schedule, n) * 1000, happen }];
}

const inProgress = new Set<Promise<unknown>>();
/** True within a job, which must not wait for itself. */
const isJob = new AsyncLocalStorage<boolean>();

/**
 * Advances the time. Whatever becomes due happens in the order of the times. A job that throws NotYet is retried after a minute.
 * Concurrent requests share the time, so a request also waits for the jobs that another request has begun.
 */
async function passTime(seconds: number): Promise<void> {
  const end = now + seconds * 1000;
  for (let due = nextDue(); due && due.time <= end; due = nextDue()) {
    now = Math.max(now, due.time);
    retries.delete(due);
    const job = isJob.run(true, due.happen);
    inProgress.add(job);
    try {
      await job;
    } catch (error) {
      if (!(error instanceof NotYet)) throw error;
      retries.add({ time: now + 60_000, happen: due.happen });
    } finally {
      inProgress.delete(job);
    }
  }
  if (!isJob.getStore()) await Promise.allSettled(inProgress);
  now = Math.max(now, end);
}

/** The operations that have an effect outside of the database. */
const external = new Set(['SendRawEmail', 'StartExecution', 'CreateSchedule', 'DeleteSchedule']);

export const driver: Driver = {
  name: 'in process',
  access: { base_url: baseUrl, username: 'dog-lover', password: '' },
  contract: ofWorker('contract', () => new Contract(openApiDocument(), [baseUrl])),
  send,
  windowSeconds,
  now: async () => Math.floor(now / 1000),
  passTime,
  skipTime: passTime,
  mailsTo: async (address) =>
    sent()
      .filter(({ to }) => to.includes(address))
      .map(({ to, text, html, ...mail }) => ({
        ...mail,
        from: '',
        destination: { to },
        body: { text, html },
      })),
  effects: () => calls().filter((operation) => external.has(operation)),
};

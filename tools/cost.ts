import { routes } from '../lambdas/contract/routes.ts';
import { type MeasuredCase, measuredCases, transitionsOfBark } from './calls.ts';
import type { Table } from './table.ts';

/** @throws Error if the list does not contain the case */
export function find(name: string, case_: string): MeasuredCase {
  const found = measuredCases.find((one) => one.function === name && one.case === case_);
  if (!found) throw new Error(`The case "${case_}" of ${name} is not in the list.`);
  return found;
}

/** Returns the groups of parallel calls. Each group is a round trip. */
function tripsOf({ calls }: Pick<MeasuredCase, 'calls'>): string[] {
  return calls === '' ? [] : calls.split(' → ');
}

export function countOf(operation: string, one: Pick<MeasuredCase, 'calls'>): number {
  return tripsOf(one)
    .flatMap((trip) => trip.split(' + '))
    .map((text) => /^(?:([0-9]+) )?(.+)$/.exec(text) ?? [])
    .filter(([, , name]) => name === operation)
    .reduce((sum, [, count = '1']) => sum + Number(count), 0);
}

/** The list prices in us-east-1 in November 2026, in dollars per million units, without the free tier. */
export const prices = {
  /** API Gateway, REST API: requests. */
  request: 3.5,
  /** Lambda on arm64: invocations, and one gigabyte-second (not a million). */
  invocation: 0.2,
  gigabyteSecond: 0.0000133334,
  /** DynamoDB on demand: request units. */
  read: 0.125,
  write: 0.625,
  /** Step Functions, Standard: state transitions. */
  transition: 25,
  /** Step Functions, Express: executions, and one gigabyte-second (not a million). */
  execution: 1,
  workflowGigabyteSecond: 0.00001667,
  /** EventBridge Scheduler: invocations. Calls that create and delete schedules are free. */
  occurrence: 1,
  /** EventBridge: published custom events. */
  event: 1,
  /** SES: messages to one recipient. */
  mail: 100,
  /** Secrets Manager: calls. */
  secret: 5,
  /** CloudWatch Logs: ingested kilobytes. */
  logKilobyte: 0.5,
  /** X-Ray: recorded traces. */
  trace: 5,
  /** WAF, which is optional: one web ACL and one rule for a month (not a million), and requests. */
  firewall: { webAcl: 5, rule: 1, request: 0.6 },
  /** DynamoDB: one gigabyte for a month (not a million), stored as data and backed up for point-in-time recovery. */
  stored: 0.25,
  restorable: 0.2,
};

/**
 * Values that are assumed, not measured:
 * - `own`: the milliseconds that a function spends computing
 * - `roundTrip`: the milliseconds that each round trip takes
 * - `logged`: the kilobytes that a function logs in each call
 * - `traced`: the share of requests with a trace, in the default settings
 * - `memory`: the gigabytes of memory that a function has by default
 * - `windowSeconds`: the cancellation window in the default settings, which make the workflow an Express workflow
 * - `taskSeconds`: the duration of an execution after the cancellation window
 */
const assumed = {
  own: 5,
  roundTrip: 10,
  logged: 1,
  traced: 0.05,
  memory: 0.5,
  windowSeconds: 5,
  taskSeconds: 0.1,
};

/** In dollars, by service. */
export type Cost = Readonly<Record<string, number>>;

const ofRoutes = new Set<string>([...routes.map(({ name }) => name), 'Fallback']);

const wokenByScheduler = new Set(['BarkOnSchedule', 'RefreshCredentials']);

/**
 * The cost, in dollars, of a million executions without retries. Step Functions bills at least 64 MB of memory for an Express
 * execution. The bark workflow needs no more.
 *
 * @param windowSeconds the cancellation window
 * @see {@link https://aws.amazon.com/step-functions/pricing/}
 */
export const workflowCosts = {
  EXPRESS: (windowSeconds: number) =>
    prices.execution +
    1e6 * (windowSeconds + assumed.taskSeconds) * (64 / 1024) * prices.workflowGigabyteSecond,
  STANDARD: () => transitionsOfBark * prices.transition,
};

/** Returns the cancellation window, in seconds, above which a Standard workflow is cheaper than an Express workflow. */
export function breakEvenSeconds(transitions: number): number {
  const perSecond = workflowCosts.EXPRESS(1) - workflowCosts.EXPRESS(0);
  return (transitions * prices.transition - workflowCosts.EXPRESS(0)) / perSecond;
}

/** Returns the cost of a million invocations in one case, including their AWS calls, executions and emails. */
export function costOf(one: MeasuredCase): Cost {
  const { waitedSeconds = 0 } = one;
  const seconds = (assumed.own + assumed.roundTrip * tripsOf(one).length) / 1000 + waitedSeconds;
  const isRequest = ofRoutes.has(one.function);
  return {
    'API Gateway': isRequest ? prices.request : 0,
    Lambda: prices.invocation + 1e6 * seconds * assumed.memory * prices.gigabyteSecond,
    // By default, only requests are traced. The authorizer runs in the trace of the route's function.
    'logs, traces': assumed.logged * prices.logKilobyte + (isRequest ? assumed.traced * prices.trace : 0),
    DynamoDB: one.reads * prices.read + one.writes * prices.write,
    'Step Functions': countOf('StartExecution', one) * workflowCosts.EXPRESS(assumed.windowSeconds),
    Scheduler: wokenByScheduler.has(one.function) ? prices.occurrence : 0,
    // Each measured call publishes one event, which a rule also logs.
    EventBridge: countOf('PutEvents', one) * (prices.event + assumed.logged * prices.logKilobyte),
    // SES does not charge for refused mail.
    SES: one.result === 502 ? 0 : countOf('SendRawEmail', one) * prices.mail,
    'Secrets Manager': (countOf('GetSecretValue', one) + countOf('PutSecretValue', one)) * prices.secret,
  };
}

function wholeOf(cost: Cost): number {
  return Object.values(cost).reduce((sum, part) => sum + part, 0);
}

function dollars(amount: number): string {
  return amount === 0 ? '' : amount.toFixed(2);
}

/** Omits services that cost nothing. */
export function tableOf(title: string, costs: Readonly<Record<string, Cost>>): Table {
  const all = Object.entries(costs);
  const named = Object.keys(all[0]?.[1] ?? {});
  const columns = named.filter((name) => all.some(([, cost]) => cost[name]));
  return {
    title,
    columns: ['', ...columns, 'total'],
    rows: all.map(([name, cost]) => [
      name,
      ...columns.map((column) => dollars(cost[column] ?? 0)),
      dollars(wholeOf(cost)),
    ]),
  };
}

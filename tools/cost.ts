import { routes } from '../lambdas/contract/routes.ts';
import { type Asked, countOf, transitionsOfBark, tripsOf } from './calls.ts';
import type { Table } from './table.ts';

/** Dollars by the list prices of us-east-1 in November 2026, beyond what is free; for a million, where nothing is said. */
export const prices = {
  /** API Gateway, REST: a request. */
  request: 3.5,
  /** Lambda on arm64: an invocation, and a second of a gigabyte (for one). */
  invocation: 0.2,
  gigabyteSecond: 0.0000133334,
  /** DynamoDB on demand: request units. */
  read: 0.125,
  write: 0.625,
  /** Step Functions, Standard. */
  transition: 25,
  /** EventBridge Scheduler: an invocation; calls that make and delete schedules are free. */
  occurrence: 1,
  /** SES: a mail to one recipient. */
  mail: 100,
  /** Secrets Manager: a call. */
  secret: 5,
  /** CloudWatch Logs: a kilobyte that is taken in. */
  logKilobyte: 0.5,
  /** X-Ray: a trace that is recorded. */
  trace: 5,
  /** WAF: a web ACL for a month (for one), a rule of it for a month (for one), and a request. Only a setting adds it. */
  firewall: { webAcl: 5, rule: 1, request: 0.6 },
  /** DynamoDB: a gigabyte for a month (for one), and the same for what can be restored. */
  stored: 0.25,
  restorable: 0.2,
};

/**
 * What is assumed, and not measured: how long a function runs by itself, and how long it waits for each round trip, in
 * milliseconds; what it logs, in kilobytes; how much of what begins at the service is traced. The memory, in gigabytes, is
 * the setting's default.
 *
 * X-Ray traces the first request of each second and 5 % of the others. A million requests that are spread over a month are
 * 2.6 seconds apart, so that each is the first of its second.
 *
 * @see {@link https://docs.aws.amazon.com/xray/latest/devguide/xray-console-sampling.html}
 */
const assumed = { own: 5, roundTrip: 10, logged: 1, traced: 1, memory: 0.5 };

/** Dollars, by service. */
export type Cost = Readonly<Record<string, number>>;

const ofRoutes = new Set<string>([...routes.map(({ name }) => name), 'Fallback']);

const wokenByScheduler = new Set(['BarkOnSchedule', 'RefreshCredentials']);

/** These run within a trace that a request has begun. */
const withinTrace = new Set(['Authorizer', 'TakeEffect']);

/** What a million of one case cost: its own calls, and what the services charge for what these set going. */
export function costOf(one: Asked): Cost {
  const seconds = (assumed.own + assumed.roundTrip * tripsOf(one).length) / 1000;
  const traces = withinTrace.has(one.function) ? 0 : assumed.traced;
  return {
    'API Gateway': ofRoutes.has(one.function) ? prices.request : 0,
    Lambda: prices.invocation + 1e6 * seconds * assumed.memory * prices.gigabyteSecond,
    'logs, traces': assumed.logged * prices.logKilobyte + traces * prices.trace,
    DynamoDB: one.reads * prices.read + one.writes * prices.write,
    'Step Functions': countOf('StartExecution', one) * transitionsOfBark * prices.transition,
    Scheduler: wokenByScheduler.has(one.function) ? prices.occurrence : 0,
    // What SES refuses is free.
    SES: one.answer === 502 ? 0 : countOf('SendEmail', one) * prices.mail,
    'Secrets Manager': (countOf('GetSecretValue', one) + countOf('PutSecretValue', one)) * prices.secret,
  };
}

/** The sum of costs that name the same services. */
export function added([first = {}, ...others]: readonly Cost[]): Cost {
  const sumOf = (service: string) =>
    others.reduce((sum, cost) => sum + (cost[service] ?? 0), first[service] ?? 0);
  return Object.fromEntries(Object.keys(first).map((service) => [service, sumOf(service)]));
}

export function wholeOf(cost: Cost): number {
  return Object.values(cost).reduce((sum, part) => sum + part, 0);
}

export function dollars(amount: number): string {
  return amount === 0 ? '' : amount.toFixed(2);
}

/** Costs side by side, without the services that none of them needs. */
export function tableOf(title: string, costs: Readonly<Record<string, Cost>>): Table {
  const all = Object.entries(costs);
  const named = Object.keys(all[0]?.[1] ?? {});
  const columns = named.filter((name) => all.some(([, cost]) => cost[name]));
  return {
    title,
    columns: ['', ...columns, 'whole'],
    rows: all.map(([name, cost]) => [
      name,
      ...columns.map((column) => dollars(cost[column] ?? 0)),
      dollars(wholeOf(cost)),
    ]),
  };
}

import { randomUUID } from 'node:crypto';
import type { DatabaseSync } from 'node:sqlite';
import type { Emulator } from '../endpoint/emulator.ts';
import { type AwsResponse, jsonError } from '../endpoint/response.ts';
import type { AsyncInvocations } from '../lambda/async-invocations.ts';
import type { Clock } from '../platform/clock.ts';
import { log } from '../platform/log.ts';
import { type Exhaustion, type RetryPolicy, RetryQueue } from '../platform/retry-queue.ts';
import { inTransaction, openStore } from '../platform/store.ts';
import type { DeadLetterQueues } from '../sqs/dead-letter-queues.ts';
import { account, arn, region } from '../template/arns.ts';
import type { Properties, Resource } from '../template/resource.ts';
import type { Template } from '../template/template.ts';
import {
  check,
  firstDue,
  occurrences,
  type Schedule,
  type ScheduleRequest,
  ScheduleRules,
  SchedulerError,
  type Target,
} from './validation.ts';

interface Row {
  readonly groupName: string;
  readonly name: string;
  /** JSON. */
  readonly schedule: string;
  readonly clientToken: string | null;
  /** Milliseconds since 1970, as all times of the store. */
  readonly created: number;
  readonly modified: number;
  /** When it falls due next; null if it never does. */
  readonly due: number | null;
}

/** One time that a schedule fell due. */
interface Occurrence {
  readonly scheduleArn: string;
  readonly target: Target;
  readonly time: number;
}

interface Call {
  readonly name: string;
  readonly query: URLSearchParams;
  readonly request: ScheduleRequest;
}

interface Dependencies {
  readonly invocations: Pick<AsyncInvocations, 'put'>;
  readonly deadLetterQueues: DeadLetterQueues;
  readonly clock: Clock;
}

const statuses = { ValidationException: 400, ResourceNotFoundException: 404, ConflictException: 409 };

/** How many schedules are looked at in one go, so that many that missed much leave the service time for others. */
const batch = 10;

/** The longest that an occurrence rests between two tries, in milliseconds. */
const longestPause = 60 * 60 * 1000;

/**
 * EventBridge Scheduler on this machine, for the SDK's own protocol: calls the functions of the template by `at` and
 * `rate`, for schedules of the template and for those that functions make. When a schedule falls due next lies on disk,
 * and moves on in the same transaction that queues the occurrence: each is handed over at least once, also when the
 * service was killed. What was missed while the service was away is handed over if the schedule's retry policy lets it
 * be that old, and is a dead letter otherwise; of more than a day of minutes the oldest are only told of.
 */
export class SchedulerEmulator {
  private readonly rules: ScheduleRules;
  private readonly dependencies: Dependencies;
  private readonly store: DatabaseSync;
  private readonly handOvers: RetryQueue<Occurrence>;
  private cancelWake = () => {};

  /** @throws Error that names the schedule of the template that this machine cannot have */
  constructor(template: Template, file: string, dependencies: Dependencies) {
    this.rules = new ScheduleRules(template, dependencies.deadLetterQueues);
    this.dependencies = dependencies;
    this.store = openStore(file);
    this.store.exec(`
      CREATE TABLE IF NOT EXISTS schedules (
        groupName TEXT, name TEXT, schedule TEXT, clientToken TEXT, created INTEGER, modified INTEGER, due INTEGER,
        PRIMARY KEY (groupName, name));
      CREATE INDEX IF NOT EXISTS byDue ON schedules (due);
      CREATE TABLE IF NOT EXISTS deployed (definition TEXT PRIMARY KEY);`);
    this.handOvers = new RetryQueue(
      this.store,
      'handOvers',
      {
        policy: ({ target }) => retryPolicyOf(target),
        deliver: (occurrence, attempt) =>
          dependencies.invocations.put(occurrence.target.Arn, JSON.parse(inputOf(occurrence, attempt))),
        onExhausted: (occurrence, exhaustion) => this.giveUp(occurrence, exhaustion),
      },
      dependencies.clock,
    );
    inTransaction(this.store, () => this.deploy(template));
  }

  /** Goes on with what was there when the service ended, and does what was missed since then. */
  resume(): void {
    this.handOvers.resume();
    this.fire();
  }

  stop(): void {
    this.cancelWake();
    this.handOvers.stop();
    this.store.close();
  }

  readonly serve: Emulator = async ({ method, path, body }) => {
    const { pathname, searchParams: query } = new URL(path, 'http://scheduler');
    const match = /^\/schedules(?:\/([^/]+))?$/.exec(pathname);
    const [, name] = match ?? [];
    const handle = match && this.actions[`${method} ${name === undefined ? 'schedules' : 'schedule'}`];
    if (!handle)
      return jsonError(400, 'UnknownOperationException', `This machine has no ${method} ${pathname}.`);
    try {
      const request = body.length === 0 ? {} : JSON.parse(body.toString('utf8'));
      const answered = handle({ name: decodeURIComponent(name ?? ''), query, request });
      this.wakeForNext();
      return answer(200, answered);
    } catch (error) {
      if (error instanceof SchedulerError)
        return answer(statuses[error.name], { Message: error.message }, error.name);
      throw error;
    }
  };

  private readonly actions: Record<string, (call: Call) => object> = {
    'POST schedule': ({ name, request }) => this.create(name, request),
    'PUT schedule': ({ name, request }) => this.update(name, request),
    'GET schedule': ({ name, query }) => {
      const { schedule, created, modified } = this.find(groupIn(query), name);
      const definition: Schedule = JSON.parse(schedule);
      return { ...definition, Arn: arnOf(definition), ...datesOf({ created, modified }) };
    },
    'DELETE schedule': ({ name, query }) => {
      this.remove(this.find(groupIn(query), name));
      return {};
    },
    'GET schedules': ({ query }) => this.list(query),
  };

  /** Does what a deployment does: the template's schedules that are as they were at the last start are left alone. */
  private deploy(template: Template): void {
    const rows = this.store.prepare('SELECT definition FROM deployed').all();
    const former = new Set(rows.map(({ definition }) => String(definition)));
    const present = new Map(
      template
        .ofType('AWS::Scheduler::Schedule')
        .map((resource) => [definitionOf(resource, template.idOf(resource)), resource.logicalId]),
    );
    for (const definition of former) if (!present.has(definition)) this.withdraw(definition);
    for (const [definition, logicalId] of present)
      if (!former.has(definition)) this.make(definition, logicalId);
  }

  private withdraw(definition: string): void {
    const { GroupName: groupName, Name: name } = JSON.parse(definition);
    this.remove({ groupName, name });
    this.store.prepare('DELETE FROM deployed WHERE definition = ?').run(definition);
  }

  private make(definition: string, logicalId: string): void {
    const { Name, ...properties } = JSON.parse(definition);
    try {
      this.create(Name, requestOf(properties));
    } catch (cause) {
      throw new Error(`${logicalId}: ${(cause as Error).message}`, { cause });
    }
    this.store.prepare('INSERT INTO deployed VALUES (?)').run(definition);
  }

  private create(name: string, request: ScheduleRequest): object {
    const { GroupName = 'default', ClientToken = null } = request;
    const known = this.read(GroupName, name);
    const answered = { ScheduleArn: arnOf({ GroupName, Name: name }) };
    if (known && ClientToken !== null && known.clientToken === ClientToken) return answered;
    const now = this.dependencies.clock.now();
    const schedule = this.rules.scheduleOf(name, request, now);
    if (known) throw new SchedulerError('ConflictException', `Schedule ${name} already exists.`);
    this.write(schedule, { clientToken: ClientToken, created: now, modified: now });
    return answered;
  }

  private update(name: string, request: ScheduleRequest): object {
    const modified = this.dependencies.clock.now();
    const schedule = this.rules.scheduleOf(name, request, modified);
    const { clientToken, created } = this.find(schedule.GroupName, name);
    this.write(schedule, { clientToken, created, modified });
    return { ScheduleArn: arnOf(schedule) };
  }

  private list(query: URLSearchParams): object {
    const most = Number(query.get('MaxResults') ?? 100);
    check(Number.isInteger(most) && most >= 1 && most <= 100, 'MaxResults must be from 1 to 100.');
    const group = query.get('ScheduleGroup');
    if (group !== null) this.rules.checkGroup(group);
    const rows = this.store
      .prepare(
        `SELECT * FROM schedules WHERE (groupName, name) > (?, ?) AND groupName = IFNULL(?, groupName)
           AND SUBSTR(name, 1, LENGTH(?)) = ? AND schedule ->> 'State' = IFNULL(?, schedule ->> 'State')
         ORDER BY groupName, name LIMIT ?`,
      )
      .all(
        ...positionIn(query.get('NextToken')),
        group,
        query.get('NamePrefix') ?? '',
        query.get('NamePrefix') ?? '',
        query.get('State'),
        most + 1,
      ) as unknown as Row[];
    const page = rows.slice(0, most);
    const last = page.at(-1);
    return {
      Schedules: page.map(summaryOf),
      ...(rows.length > most && last && { NextToken: tokenOf(last) }),
    };
  }

  /** Queues what has fallen due, and moves the schedules on: both, or neither. */
  private fire(): void {
    const now = this.dependencies.clock.now();
    const rows = this.store.prepare('SELECT * FROM schedules WHERE due <= ? ORDER BY due LIMIT ?');
    inTransaction(this.store, () => {
      for (const row of rows.all(now, batch) as unknown as Row[]) this.queueAndMoveOn(row, now);
    });
    this.wakeForNext();
  }

  private queueAndMoveOn(row: Row, now: number): void {
    const schedule: Schedule = JSON.parse(row.schedule);
    const { times, skipped, next } = occurrences(schedule, row.due ?? now, now);
    if (skipped > 0) log(`The schedule ${row.name} missed ${skipped} more occurrences, which are too old.`);
    const occurrence = { scheduleArn: arnOf(schedule), target: schedule.Target };
    for (const time of times) this.handOvers.put({ ...occurrence, time }, time);
    if (next === null && schedule.ActionAfterCompletion === 'DELETE') this.remove(row);
    else
      this.store
        .prepare('UPDATE schedules SET due = ? WHERE groupName = ? AND name = ?')
        .run(next, row.groupName, row.name);
  }

  private wakeForNext(): void {
    this.cancelWake();
    const { due } = this.store.prepare('SELECT MIN(due) AS due FROM schedules').get() as {
      due: number | null;
    };
    this.cancelWake = due === null ? () => {} : this.dependencies.clock.wakeAt(due, () => this.fire());
  }

  private giveUp(occurrence: Occurrence, { condition, attempts, error }: Exhaustion): void {
    const { scheduleArn, target, time } = occurrence;
    const message = error?.message ?? 'The occurrence was too old when it could be handed over.';
    const { deadLetterQueues } = this.dependencies;
    const queueArn = target.DeadLetterConfig?.Arn;
    if (queueArn === undefined || !deadLetterQueues.has(queueArn)) {
      log(`${scheduleArn} was given up on its occurrence of ${timeText(time)}: ${message}`);
      return;
    }
    deadLetterQueues.put(queueArn, inputOf(occurrence, attempts), {
      ERROR_CODE: error?.name ?? condition,
      ERROR_MESSAGE: message,
      EXHAUSTED_RETRY_CONDITION:
        condition === 'RetriesExhausted' ? 'MaximumRetryAttempts' : 'MaximumEventAgeInSeconds',
      IS_PAYLOAD_TRUNCATED: 'false',
      RETRY_ATTEMPTS: String(Math.max(0, attempts - 1)),
      SCHEDULED_TIME: timeText(time),
      SCHEDULE_ARN: scheduleArn,
      TARGET_ARN: target.Arn,
    });
  }

  private find(groupName: string, name: string): Row {
    const row = this.read(groupName, name);
    if (!row) throw new SchedulerError('ResourceNotFoundException', `Schedule ${name} does not exist.`);
    return row;
  }

  private read(groupName: string, name: string): Row | undefined {
    return this.store
      .prepare('SELECT * FROM schedules WHERE groupName = ? AND name = ?')
      .get(groupName, name) as unknown as Row | undefined;
  }

  private write(schedule: Schedule, row: Pick<Row, 'clientToken' | 'created' | 'modified'>): void {
    this.store
      .prepare('INSERT OR REPLACE INTO schedules VALUES (?, ?, ?, ?, ?, ?, ?)')
      .run(
        schedule.GroupName,
        schedule.Name,
        JSON.stringify(schedule),
        row.clientToken,
        row.created,
        row.modified,
        firstDue(schedule, row.modified),
      );
  }

  private remove({ groupName, name }: Pick<Row, 'groupName' | 'name'>): void {
    this.store.prepare('DELETE FROM schedules WHERE groupName = ? AND name = ?').run(groupName, name);
  }
}

/** All that the template says of a schedule: JSON. */
function definitionOf({ properties }: Resource, Name: string): string {
  return JSON.stringify({ GroupName: 'default', ...properties, Name });
}

/** CloudFormation has dates as text, the service as Unix seconds. */
function requestOf({ StartDate, EndDate, ...request }: Properties): ScheduleRequest {
  const seconds = (date: string) => Date.parse(date) / 1000;
  return {
    ...request,
    ...(StartDate !== undefined && { StartDate: seconds(StartDate) }),
    ...(EndDate !== undefined && { EndDate: seconds(EndDate) }),
  };
}

function retryPolicyOf({ RetryPolicy }: Target): RetryPolicy {
  const { MaximumRetryAttempts, MaximumEventAgeInSeconds } = RetryPolicy;
  return {
    maximumAttempts: MaximumRetryAttempts + 1,
    maximumAgeMs: MaximumEventAgeInSeconds * 1000,
    retryDelayMs: (failures) => Math.min(1000 * 2 ** (failures - 1), longestPause),
  };
}

/** What the function gets: the target's input with its context attributes, or else the service's own event. */
function inputOf({ scheduleArn, target, time }: Occurrence, attempt: number): string {
  const id = randomUUID();
  const attributes: Record<string, string> = {
    'schedule-arn': scheduleArn,
    'scheduled-time': timeText(time),
    'execution-id': id,
    'attempt-number': String(attempt),
  };
  const usual = {
    version: '0',
    id,
    'detail-type': 'Scheduled Event',
    source: 'aws.scheduler',
    account,
    time: timeText(time),
    region,
    resources: [scheduleArn],
    detail: '{}',
  };
  return (target.Input ?? JSON.stringify(usual)).replace(
    /<aws\.scheduler\.([a-z-]+)>/g,
    (text, name) => attributes[name] ?? text,
  );
}

/** ISO 8601 in whole seconds. */
function timeText(time: number): string {
  return new Date(time).toISOString().replace(/\.\d+Z$/, 'Z');
}

function groupIn(query: URLSearchParams): string {
  return query.get('groupName') ?? 'default';
}

function arnOf({ GroupName, Name }: Pick<Schedule, 'GroupName' | 'Name'>): string {
  return arn('scheduler', `schedule/${GroupName}/${Name}`);
}

function summaryOf({ schedule, created, modified }: Row): object {
  const definition: Schedule = JSON.parse(schedule);
  const { GroupName, Name, State, Target } = definition;
  return {
    Arn: arnOf(definition),
    GroupName,
    Name,
    State,
    Target: { Arn: Target.Arn },
    ...datesOf({ created, modified }),
  };
}

function datesOf({ created, modified }: Pick<Row, 'created' | 'modified'>) {
  return { CreationDate: created / 1000, LastModificationDate: modified / 1000 };
}

/** Where the next page begins. */
function tokenOf({ groupName, name }: Row): string {
  return Buffer.from(`${groupName}/${name}`).toString('base64url');
}

function positionIn(token: string | null): [groupName: string, name: string] {
  const [groupName = '', name] = Buffer.from(token ?? 'Lw', 'base64url')
    .toString()
    .split('/');
  check(name !== undefined, 'The NextToken is not valid.');
  return [groupName, name];
}

function answer(status: number, body: object, error?: string): AwsResponse {
  return {
    status,
    headers: { 'Content-Type': 'application/json', ...(error && { 'x-amzn-ErrorType': error }) },
    body: JSON.stringify(body),
  };
}

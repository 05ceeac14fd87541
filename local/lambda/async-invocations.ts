import { randomUUID } from 'node:crypto';
import { report } from '../platform/activity.ts';
import { type Clock, failUncaught } from '../platform/clock.ts';
import { log } from '../platform/log.ts';
import { openStore, type Store } from '../platform/store.ts';
import type { DeadLetterQueues } from '../sqs/dead-letter-queues.ts';
import type { EntryPoint, Template } from '../template/template.ts';
import { FunctionError, ResourceNotFoundException, TooManyRequestsException } from './errors.ts';

/**
 * @param requestId by default, a new one
 * @throws FunctionError if the function throws an error, times out or exits
 * @throws TooManyRequestsException if the invocation is throttled
 * @throws ResourceNotFoundException if there is no such function or alias
 */
export type Invoke = (functionArn: string, event: unknown, requestId?: string) => Promise<unknown>;

interface Invocation {
  readonly functionArn: string;
  /** The same for all attempts, so that the function can recognize a repeated event. */
  readonly requestId: string;
  readonly event: unknown;
}

interface InvokeConfig {
  readonly maximumAttempts: number;
  readonly maximumAgeMs: number;
  /** Undefined if the template no longer contains the function. */
  readonly entryPoint?: EntryPoint;
  readonly onFailure?: string;
}

interface Exhaustion {
  readonly condition: 'RetriesExhausted' | 'EventAgeExceeded';
  /** Throttled invocations do not count. */
  readonly attempts: number;
  /** The last attempt's error. Undefined if the event became too old while it waited for an attempt. */
  readonly error?: Error;
}

interface Row {
  readonly id: number;
  /** An `Invocation`, as JSON. */
  readonly item: string;
  /** Milliseconds since 1970. */
  readonly since: number;
  readonly failures: number;
}

const secondMs = 1_000;
const minuteMs = 60_000;

const defaults = { MaximumRetryAttempts: 2, MaximumEventAgeInSeconds: 6 * 60 * 60 };

const maximumConcurrency = 50;

/**
 * Lambda's queue of asynchronous invocations. An event stays on disk until the function has processed it, or until it reaches its
 * maximum number of attempts or its maximum age and goes to the destination for failed events, if any. If the disk is full after a
 * delivery, the process ends, and the next start repeats the delivery.
 *
 * @see {@link https://docs.aws.amazon.com/lambda/latest/dg/invocation-async-error-handling.html How Lambda handles errors
 *   and retries with asynchronous invocation}
 */
export class AsyncInvocations {
  private configs: ReadonlyMap<string, InvokeConfig> = new Map();
  private readonly invoke: Invoke;
  private readonly deadLetterQueues: DeadLetterQueues;
  private readonly clock: Clock;
  private readonly store: Store;
  private readonly deliveries = new Set<number>();
  private stopped = false;
  private cancelWake = () => {};

  /** @throws Error if a destination is not for failed events, or is not a queue in the template */
  constructor(
    template: Template,
    file: string,
    { invoke, deadLetterQueues, clock }: { invoke: Invoke; deadLetterQueues: DeadLetterQueues; clock: Clock },
  ) {
    this.invoke = invoke;
    this.deadLetterQueues = deadLetterQueues;
    this.clock = clock;
    this.store = openStore(file);
    this.store.exec(`
      CREATE TABLE IF NOT EXISTS invocations (
        id INTEGER PRIMARY KEY AUTOINCREMENT, item TEXT, since INTEGER, failures INTEGER, due INTEGER);
      CREATE INDEX IF NOT EXISTS invocationsByDue ON invocations (due);`);
    this.deploy(template);
  }

  /** The new settings also apply to queued events. */
  deploy(template: Template): void {
    this.configs = configsOf(template, this.deadLetterQueues);
  }

  /**
   * The event is on disk when this method returns.
   *
   * @throws ResourceNotFoundException if the template has no such function or alias
   */
  put(functionArn: string, event: unknown): void {
    if (!this.configs.has(functionArn)) throw new ResourceNotFoundException(functionArn);
    const invocation: Invocation = { functionArn, requestId: randomUUID(), event };
    const now = this.clock.now();
    const sql = 'INSERT INTO invocations (item, since, failures, due) VALUES (?, ?, 0, ?)';
    this.store.run(sql, JSON.stringify(invocation), now, now);
    // The caller continues first.
    queueMicrotask(() => this.resume());
  }

  /** Starts to deliver the due events, without waiting for the deliveries. */
  resume(): void {
    if (this.stopped) return;
    for (const row of this.dueRows()) {
      this.deliveries.add(row.id);
      this.handle(row).then(
        () => {
          this.deliveries.delete(row.id);
          this.resume();
        },
        (error) => failUncaught(error, this.clock),
      );
    }
    this.cancelWake();
    const sql = 'SELECT MIN(due) AS due FROM invocations WHERE due > ?';
    const { due = null } = this.store.row<{ due: number | null }>(sql, this.clock.now()) ?? {};
    this.cancelWake = this.clock.wakeAt(due, () => this.resume());
  }

  /** Does not wait for the deliveries in progress, which the next start repeats. */
  stop(): void {
    this.stopped = true;
    this.cancelWake();
    this.store.close();
  }

  private dueRows(): Row[] {
    const sql = 'SELECT id, item, since, failures FROM invocations WHERE due <= ? ORDER BY due, id LIMIT ?';
    return this.store
      .rows<Row>(sql, this.clock.now(), maximumConcurrency)
      .filter(({ id }) => !this.deliveries.has(id))
      .slice(0, maximumConcurrency - this.deliveries.size);
  }

  private async handle(row: Row): Promise<void> {
    const invocation: Invocation = JSON.parse(row.item);
    const configNow = () => this.configs.get(invocation.functionArn) ?? configOf(defaults);
    const isTooOld = this.clock.now() > row.since + configNow().maximumAgeMs;
    const error = isTooOld ? undefined : await this.attempt(invocation, configNow());
    if (this.stopped) return;
    // A reload may have removed the destination.
    const config = configNow();
    if (isTooOld)
      this.exhaust(row, invocation, config, { condition: 'EventAgeExceeded', attempts: row.failures });
    else if (error) this.handleFailure(row, invocation, config, error);
    else this.remove(row);
  }

  private async attempt(
    { functionArn, event, requestId }: Invocation,
    config: InvokeConfig,
  ): Promise<Error | undefined> {
    const activity = { type: 'invocation', functionName: nameOf(functionArn, config), event } as const;
    try {
      await this.invoke(functionArn, event, requestId);
      report(activity);
      return undefined;
    } catch (thrown) {
      const error = thrown as Error;
      report({ ...activity, error: error.message });
      return error;
    }
  }

  private handleFailure(row: Row, invocation: Invocation, config: InvokeConfig, error: Error): void {
    const now = this.clock.now();
    const isThrottled = error instanceof TooManyRequestsException;
    const attempts = isThrottled ? row.failures : row.failures + 1;
    // Lambda waits one minute before the first retry, and two before the second.
    const delayMs = isThrottled
      ? Math.min(Math.max(now - row.since, secondMs), 5 * minuteMs)
      : attempts * minuteMs;
    if (attempts >= config.maximumAttempts)
      this.exhaust(row, invocation, config, { condition: 'RetriesExhausted', attempts, error });
    else if (now + delayMs > row.since + config.maximumAgeMs)
      this.exhaust(row, invocation, config, { condition: 'EventAgeExceeded', attempts, error });
    else this.postpone(row, attempts, now + delayMs);
  }

  /** @throws Error if a write to the destination or the queue fails. The event then stays in the queue */
  private exhaust(row: Row, invocation: Invocation, config: InvokeConfig, exhaustion: Exhaustion): void {
    const { condition, error } = exhaustion;
    const { onFailure, entryPoint } = config;
    if (onFailure !== undefined && entryPoint) {
      const timestamp = new Date(this.clock.now()).toISOString();
      const record = recordOf(invocation, entryPoint, exhaustion, timestamp);
      this.deadLetterQueues.put(onFailure, JSON.stringify(record));
    }
    this.remove(row);
    const name = nameOf(invocation.functionArn, config);
    log(`An event for ${name} failed (${condition}): ${error?.message ?? 'the event is too old'}`);
  }

  private postpone({ id }: Row, failures: number, due: number): void {
    this.store.run('UPDATE invocations SET failures = ?, due = ? WHERE id = ?', failures, due, id);
  }

  private remove({ id }: Row): void {
    this.store.run('DELETE FROM invocations WHERE id = ?', id);
  }
}

function nameOf(functionArn: string, { entryPoint }: InvokeConfig): string {
  return entryPoint?.lambda.name ?? functionArn;
}

function configOf({ MaximumRetryAttempts, MaximumEventAgeInSeconds }: typeof defaults): InvokeConfig {
  return { maximumAttempts: MaximumRetryAttempts + 1, maximumAgeMs: MaximumEventAgeInSeconds * 1000 };
}

/** By the entry point's ARN. An alias does not inherit the configuration of `$LATEST`. */
function configsOf(template: Template, deadLetterQueues: DeadLetterQueues): Map<string, InvokeConfig> {
  const configs = template.ofType('AWS::Lambda::EventInvokeConfig');
  return new Map(
    template.entryPoints.map((entryPoint) => {
      const { arn, lambda, qualifier } = entryPoint;
      const config = configs.find(
        ({ properties: { FunctionName, Qualifier } }) =>
          FunctionName === template.idOf(lambda) && Qualifier === qualifier,
      );
      const { DestinationConfig = {}, ...limits } = config?.properties ?? {};
      const { OnFailure: { Destination: onFailure } = {}, OnSuccess } = DestinationConfig;
      if (OnSuccess || (onFailure && !deadLetterQueues.has(onFailure)))
        throw new Error(
          `${config?.logicalId}: the local cloud supports only queues as destinations for failed events.`,
        );
      return [arn, { entryPoint, ...configOf({ ...defaults, ...limits }), ...(onFailure && { onFailure }) }];
    }),
  );
}

function recordOf(
  { functionArn, requestId, event }: Invocation,
  { qualifier, version }: EntryPoint,
  { condition, attempts, error }: Exhaustion,
  timestamp: string,
): object {
  return {
    version: '1.0',
    timestamp,
    requestContext: {
      requestId,
      // The ARN of an alias already ends in its qualifier.
      functionArn: qualifier === version ? `${functionArn}:${version}` : functionArn,
      condition,
      approximateInvokeCount: attempts,
    },
    requestPayload: event,
    ...(error instanceof FunctionError && {
      responseContext: { statusCode: 200, executedVersion: version, functionError: 'Unhandled' },
      responsePayload: { errorType: error.errorType, errorMessage: error.message },
    }),
  };
}

import { randomUUID } from 'node:crypto';
import type { DatabaseSync } from 'node:sqlite';
import { report } from '../platform/activity.ts';
import type { Clock } from '../platform/clock.ts';
import { log } from '../platform/log.ts';
import { type Exhaustion, RetryQueue } from '../platform/retry-queue.ts';
import { openStore } from '../platform/store.ts';
import type { DeadLetterQueues } from '../sqs/dead-letter-queues.ts';
import type { EntryPoint, Template } from '../template/template.ts';
import { FunctionError, ResourceNotFoundException, TooManyRequestsException } from './errors.ts';

/**
 * Invokes a function or an alias by its ARN.
 *
 * @param requestId the request ID of the invocation. By default, a new one
 * @returns the result of the function
 * @throws FunctionError if the function throws an error, times out or exits
 * @throws TooManyRequestsException if the invocation is throttled
 * @throws ResourceNotFoundException if there is no such function or alias
 */
export type Invoke = (functionArn: string, event: unknown, requestId?: string) => Promise<unknown>;

interface Invocation {
  readonly functionArn: string;
  /** The request ID. It is the same for all attempts, so that the function can recognize a repeated event. */
  readonly requestId: string;
  readonly event: unknown;
}

/** The asynchronous invocation settings of a function or an alias in the template. */
interface InvokeConfig {
  readonly entryPoint: EntryPoint;
  readonly maximumAttempts: number;
  readonly maximumAgeMs: number;
  /** The ARN of the queue that receives failed events. */
  readonly onFailure?: string;
}

const secondMs = 1_000;
const minuteMs = 60_000;

/**
 * The queue of Lambda's asynchronous invocations. An event stays on disk until the function has processed it, or until the
 * event reaches its maximum number of attempts or its maximum age. It then goes to the destination
 * for failed events, if there is one. If the function is throttled, the delay between attempts grows from 1 s to 5 min.
 *
 * @see {@link https://docs.aws.amazon.com/lambda/latest/dg/invocation-async-error-handling.html How Lambda handles errors
 *   and retries with asynchronous invocation}
 */
export class AsyncInvocations {
  private configs: ReadonlyMap<string, InvokeConfig> = new Map();
  private readonly deadLetterQueues: DeadLetterQueues;
  private readonly clock: Clock;
  private readonly store: DatabaseSync;
  private readonly queue: RetryQueue<Invocation>;

  /** @throws Error if the template has a destination other than a queue of the template for failed events */
  constructor(
    template: Template,
    file: string,
    { invoke, deadLetterQueues, clock }: { invoke: Invoke; deadLetterQueues: DeadLetterQueues; clock: Clock },
  ) {
    this.deadLetterQueues = deadLetterQueues;
    this.clock = clock;
    this.store = openStore(file);
    this.queue = new RetryQueue(
      this.store,
      'invocations',
      {
        // Lambda waits for one minute before the first retry, and for two before the second.
        policy: ({ functionArn }) => ({
          ...(this.configs.get(functionArn) ?? defaultConfig),
          retryDelayMs: (failures) => failures * minuteMs,
        }),
        throttleDelayMs: (error, ageMs) =>
          error instanceof TooManyRequestsException
            ? Math.min(Math.max(ageMs, secondMs), 5 * minuteMs)
            : undefined,
        deliver: (invocation) => this.deliver(invocation, invoke),
        onExhausted: (invocation, exhaustion) => this.fail(invocation, exhaustion),
      },
      clock,
    );
    this.deploy(template);
  }

  /** Uses the settings of a template from now on. Queued events stay in the queue. */
  deploy(template: Template): void {
    this.configs = configsOf(template, this.deadLetterQueues);
  }

  /**
   * Queues an event for a function. The event is on disk when this method returns.
   *
   * @throws ResourceNotFoundException if the template has no such function or alias
   */
  put(functionArn: string, event: unknown): void {
    if (!this.configs.has(functionArn)) throw new ResourceNotFoundException(functionArn);
    this.queue.put({ functionArn, requestId: randomUUID(), event });
  }

  /** Delivers the events that are due, including those from before a restart. */
  resume(): void {
    this.queue.resume();
  }

  stop(): void {
    this.queue.stop();
    this.store.close();
  }

  private async deliver({ functionArn, event, requestId }: Invocation, invoke: Invoke): Promise<void> {
    const functionName = this.nameOf(functionArn);
    try {
      await invoke(functionArn, event, requestId);
    } catch (error) {
      report({ type: 'invocation', functionName, event, error: (error as Error).message });
      throw error;
    }
    report({ type: 'invocation', functionName, event });
  }

  private nameOf(functionArn: string): string {
    return this.configs.get(functionArn)?.entryPoint.lambda.name ?? functionArn;
  }

  private fail(invocation: Invocation, exhaustion: Exhaustion): void {
    const { functionArn } = invocation;
    const config = this.configs.get(functionArn);
    const { condition, error } = exhaustion;
    const name = this.nameOf(functionArn);
    log(`An event for ${name} failed (${condition}): ${error?.message ?? 'the event is too old'}`);
    if (config?.onFailure === undefined) return;
    const timestamp = new Date(this.clock.now()).toISOString();
    const record = recordOf(invocation, config.entryPoint, exhaustion, timestamp);
    this.deadLetterQueues.put(config.onFailure, JSON.stringify(record));
  }
}

/** Lambda's defaults for asynchronous invocations. */
const defaultConfig = { maximumAttempts: 3, maximumAgeMs: 6 * 60 * minuteMs };

/** Returns the configuration of each entry point, by its ARN. An alias does not inherit the configuration of `$LATEST`. */
function configsOf(template: Template, deadLetterQueues: DeadLetterQueues): Map<string, InvokeConfig> {
  const configs = template.ofType('AWS::Lambda::EventInvokeConfig');
  return new Map(
    template.entryPoints.map((entryPoint) => {
      const { arn, lambda, qualifier } = entryPoint;
      const config = configs.find(
        ({ properties: { FunctionName, Qualifier } }) =>
          FunctionName === template.idOf(lambda) && Qualifier === qualifier,
      );
      const {
        MaximumRetryAttempts,
        MaximumEventAgeInSeconds,
        DestinationConfig: { OnFailure: { Destination: onFailure } = {}, OnSuccess } = {},
      } = config?.properties ?? {};
      if (OnSuccess || (onFailure && !deadLetterQueues.has(onFailure)))
        throw new Error(
          `${config?.logicalId}: the local cloud supports only queues as destinations for failed events.`,
        );
      return [
        arn,
        {
          entryPoint,
          maximumAttempts:
            MaximumRetryAttempts === undefined ? defaultConfig.maximumAttempts : MaximumRetryAttempts + 1,
          maximumAgeMs:
            MaximumEventAgeInSeconds === undefined
              ? defaultConfig.maximumAgeMs
              : MaximumEventAgeInSeconds * 1000,
          ...(onFailure && { onFailure }),
        },
      ];
    }),
  );
}

/** Returns the record that Lambda sends to the destination for failed events. */
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

import { randomUUID } from 'node:crypto';
import type { DatabaseSync } from 'node:sqlite';
import type { Clock } from '../platform/clock.ts';
import { log } from '../platform/log.ts';
import { type Exhaustion, RetryQueue } from '../platform/retry-queue.ts';
import { openStore } from '../platform/store.ts';
import type { DeadLetterQueues } from '../sqs/dead-letter-queues.ts';
import type { EntryPoint, Template } from '../template/template.ts';
import { FunctionError, TooManyRequestsException } from './local-function.ts';

/** Calls a function, and throws what it threw. */
export type Invoke = (functionArn: string, event: unknown, requestId?: string) => Promise<unknown>;

interface Invocation {
  readonly functionArn: string;
  /** The same for each try, by which a function may know an event again. */
  readonly requestId: string;
  readonly event: unknown;
}

/** The asynchronous invocation settings of a function or an alias in the template. */
interface InvokeConfig {
  readonly entryPoint: EntryPoint;
  readonly attempts: number;
  readonly age: number;
  /** The ARN of the queue that takes what is given up. */
  readonly onFailure?: string;
}

/** A function that is not there, as Lambda says it. */
class ResourceNotFoundException extends Error {
  override readonly name = 'ResourceNotFoundException';
}

const second = 1_000;
const minute = 60_000;

/**
 * Lambda's asynchronous invocations on this machine. An event stays on disk until the function has processed it, or has
 * failed as often as the template allows. Lambda retries a throttled event after 1 s at first and
 * after 5 min at most, until the event is too old.
 *
 * @see {@link https://docs.aws.amazon.com/lambda/latest/dg/invocation-async-error-handling.html How Lambda handles errors
 *   and retries with asynchronous invocation}
 */
export class AsyncInvocations {
  private readonly configs: ReadonlyMap<string, InvokeConfig>;
  private readonly deadLetterQueues: DeadLetterQueues;
  private readonly clock: Clock;
  private readonly store: DatabaseSync;
  private readonly queue: RetryQueue<Invocation>;

  constructor(
    template: Template,
    file: string,
    { invoke, deadLetterQueues, clock }: { invoke: Invoke; deadLetterQueues: DeadLetterQueues; clock: Clock },
  ) {
    this.configs = configsOf(template, deadLetterQueues);
    this.deadLetterQueues = deadLetterQueues;
    this.clock = clock;
    this.store = openStore(file);
    this.queue = new RetryQueue(
      this.store,
      'invocations',
      {
        // Lambda waits for one minute before the first retry, and for two before the second.
        policy: ({ functionArn }) => ({
          ...(this.configs.get(functionArn) ?? usualConfig),
          pause: (failures) => failures * minute,
        }),
        pauseMsOf: (error, ageMs) =>
          error instanceof TooManyRequestsException
            ? Math.min(Math.max(ageMs, second), 5 * minute)
            : undefined,
        deliver: ({ functionArn, event, requestId }) => invoke(functionArn, event, requestId),
        giveUp: (invocation, exhaustion) => this.giveUp(invocation, exhaustion),
      },
      clock,
    );
  }

  /**
   * Takes an event for a function: it is on disk when this returns.
   * @throws Error if there is no such function
   */
  put(functionArn: string, event: unknown): void {
    if (!this.configs.has(functionArn))
      throw new ResourceNotFoundException(`Function not found: ${functionArn}`);
    this.queue.put({ functionArn, requestId: randomUUID(), event });
  }

  /** Goes on with what was there when the service ended. */
  resume(): void {
    this.queue.resume();
  }

  stop(): void {
    this.queue.stop();
    this.store.close();
  }

  private giveUp(invocation: Invocation, exhaustion: Exhaustion): void {
    const { functionArn } = invocation;
    const config = this.configs.get(functionArn);
    const { condition, error } = exhaustion;
    const name = config?.entryPoint.lambda.name ?? functionArn;
    log(`An event for ${name} was given up (${condition}): ${error?.message ?? 'it is too old'}`);
    if (config?.onFailure === undefined) return;
    const timestamp = new Date(this.clock.now()).toISOString();
    const record = recordOf(invocation, config.entryPoint, exhaustion, timestamp);
    this.deadLetterQueues.put(config.onFailure, JSON.stringify(record));
  }
}

const usualConfig = { attempts: 3, age: 6 * 60 * minute };

/**
 * Returns the configuration of each entry point, by its ARN. A configuration belongs to one qualifier, so an alias does
 * not have that of `$LATEST`.
 *
 * @see {@link https://docs.aws.amazon.com/lambda/latest/api/API_PutFunctionEventInvokeConfig.html}
 */
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
        throw new Error(`${config?.logicalId}: this machine has no destination but a queue, on failure.`);
      return [
        arn,
        {
          entryPoint,
          attempts: MaximumRetryAttempts === undefined ? usualConfig.attempts : MaximumRetryAttempts + 1,
          age: MaximumEventAgeInSeconds === undefined ? usualConfig.age : MaximumEventAgeInSeconds * 1000,
          ...(onFailure && { onFailure }),
        },
      ];
    }),
  );
}

/** What Lambda sends to the destination of a failure. */
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

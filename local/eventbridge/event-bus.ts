import type { AsyncInvocations } from '../lambda/async-invocations.ts';
import { log } from '../platform/log.ts';
import type { DeadLetterQueues } from '../sqs/dead-letter-queues.ts';
import type { Properties } from '../template/resource.ts';
import type { Template } from '../template/template.ts';

/** An event as EventBridge delivers it. */
export interface BusEvent {
  readonly source: string;
  readonly 'detail-type': string;
  readonly detail: Readonly<Record<string, unknown>>;
  readonly [field: string]: unknown;
}

type Pattern = { readonly [field: string]: Pattern | readonly string[] };

interface Target {
  /** The ARN of a function or of a queue. */
  readonly arn: string;
  readonly ruleArn: string;
  /** The ARN of the queue that takes what cannot be handed over. */
  readonly deadLetterArn?: string;
}

interface Rule {
  readonly pattern: Pattern;
  readonly targets: readonly Target[];
}

interface Dependencies {
  readonly invocations: Pick<AsyncInvocations, 'put'>;
  readonly deadLetterQueues: DeadLetterQueues;
}

/**
 * EventBridge on this machine: hands events to the functions and queues that the template's rules name. It is done with an event
 * that was handed over; that a function fails is seen by Lambda alone.
 */
export class EventBus {
  private readonly rules: readonly Rule[];
  private readonly dependencies: Dependencies;

  constructor(template: Template, dependencies: Dependencies) {
    this.dependencies = dependencies;
    this.rules = template.ofType('AWS::Events::Rule').map((resource) => {
      const { logicalId, properties } = resource;
      return {
        pattern: checked(properties.EventPattern, logicalId),
        targets: properties.Targets.map((target: Properties) => ({
          ...targetOf(target, logicalId),
          ruleArn: template.arnOf(resource),
        })),
      };
    });
  }

  put(event: BusEvent): void {
    for (const { pattern, targets } of this.rules)
      if (matches(pattern, event)) for (const target of targets) this.handOver(target, event);
  }

  private handOver({ arn, ruleArn, deadLetterArn }: Target, event: BusEvent): void {
    const { invocations, deadLetterQueues } = this.dependencies;
    try {
      if (arn.includes(':sqs:')) deadLetterQueues.put(arn, JSON.stringify(event));
      else invocations.put(arn, event);
    } catch (error) {
      const { name, message } = error as Error;
      log(`An event could not be handed over: ${message}`);
      if (deadLetterArn === undefined) return;
      deadLetterQueues.put(deadLetterArn, JSON.stringify(event), {
        RULE_ARN: ruleArn,
        TARGET_ARN: arn,
        ERROR_CODE: name,
        ERROR_MESSAGE: message,
      });
    }
  }
}

/** A function or a queue that gets whole events; the other kinds of targets that EventBridge has are refused. */
function targetOf(
  { Arn, Input, InputPath, InputTransformer, DeadLetterConfig }: Properties,
  owner: string,
): Omit<Target, 'ruleArn'> {
  if (!/:(function|sqs):/.test(Arn) || Input || InputPath || InputTransformer)
    throw new Error(
      `${owner}: this machine delivers whole events to functions and queues, and nothing else.`,
    );
  return { arn: Arn, ...(DeadLetterConfig && { deadLetterArn: DeadLetterConfig.Arn }) };
}

/** A pattern of names and literal strings; the other kinds that EventBridge has are refused. */
function checked(pattern: Pattern, owner: string): Pattern {
  for (const value of Object.values(pattern)) {
    if (!Array.isArray(value)) checked(value as Pattern, owner);
    else if (!value.every((item) => typeof item === 'string'))
      throw new Error(`${owner}: this machine matches events by literal strings alone.`);
  }
  return pattern;
}

function matches(pattern: Pattern, event: Readonly<Record<string, unknown>>): boolean {
  return Object.entries(pattern).every(([field, expected]) => {
    const value = event[field];
    // Of a list, one item that fits is enough.
    if (Array.isArray(expected)) return [value].flat().some((item) => expected.includes(item));
    return (
      typeof value === 'object' &&
      value !== null &&
      matches(expected as Pattern, value as Record<string, unknown>)
    );
  });
}

import { isDeepStrictEqual } from 'node:util';
import type { AsyncInvocations } from '../lambda/async-invocations.ts';
import { log } from '../platform/log.ts';
import type { DeadLetterQueues } from '../sqs/dead-letter-queues.ts';
import type { Properties } from '../template/resource.ts';
import type { Template } from '../template/template.ts';

/** An event in the form that EventBridge delivers. */
export interface BusEvent {
  readonly source: string;
  readonly 'detail-type': string;
  readonly detail: Readonly<Record<string, unknown>>;
  readonly [field: string]: unknown;
}

/** A value that a field of an event may have. `{ exists: false }` matches an event without the field. */
type Expected = string | { readonly exists: false };

type Pattern = { readonly [field: string]: Pattern | readonly Expected[] };

interface Target {
  /** The ARN of a function or of a queue. */
  readonly arn: string;
  readonly ruleArn: string;
  /** The ARN of the dead-letter queue for events that cannot be delivered. */
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
 * The emulator of EventBridge. It delivers events to the functions and queues in the template's rules. It invokes functions
 * asynchronously, so the emulator of Lambda retries events that a function cannot process.
 */
export class EventBus {
  private rules: readonly Rule[] = [];
  private readonly dependencies: Dependencies;

  /**
   * @throws Error if a rule has a pattern or a target that the emulator does not support. The message contains the rule's
   *   logical ID
   */
  constructor(template: Template, dependencies: Dependencies) {
    this.dependencies = dependencies;
    this.deploy(template);
  }

  /**
   * Uses the rules of a template from now on.
   *
   * @throws Error if a rule has a pattern or a target that the emulator does not support. The message contains the rule's
   *   logical ID
   */
  deploy(template: Template): void {
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

  /**
   * Delivers an event to the targets of each rule whose pattern matches. If a delivery fails, logs the error and sends the
   * event to the target's dead-letter queue, if the target has one.
   *
   * @throws Error if the template does not have that dead-letter queue
   */
  put(event: BusEvent): void {
    for (const { pattern, targets } of this.rules)
      if (matches(pattern, event)) for (const target of targets) this.deliver(target, event);
  }

  private deliver({ arn, ruleArn, deadLetterArn }: Target, event: BusEvent): void {
    const { invocations, deadLetterQueues } = this.dependencies;
    try {
      if (arn.includes(':sqs:')) deadLetterQueues.put(arn, JSON.stringify(event));
      else invocations.put(arn, event);
    } catch (error) {
      const { name, message } = error as Error;
      log(`An event could not be delivered: ${message}`);
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

/** @throws Error if the target is neither a function nor a queue, or has a property that changes its input */
function targetOf(
  { Arn, Input, InputPath, InputTransformer, DeadLetterConfig }: Properties,
  logicalId: string,
): Omit<Target, 'ruleArn'> {
  if (!/:(function|sqs):/.test(Arn) || Input || InputPath || InputTransformer)
    throw new Error(
      `${logicalId}: the local cloud supports only functions and queues as targets, without Input, InputPath and InputTransformer.`,
    );
  return { arn: Arn, ...(DeadLetterConfig && { deadLetterArn: DeadLetterConfig.Arn }) };
}

/** @throws Error if the pattern contains values other than strings and `{ exists: false }` */
function checked(pattern: Pattern, logicalId: string): Pattern {
  for (const value of Object.values(pattern)) {
    if (!Array.isArray(value)) checked(value as Pattern, logicalId);
    else if (!value.every((item) => typeof item === 'string' || isAbsence(item)))
      throw new Error(
        `${logicalId}: the local cloud supports only strings and { exists: false } in event patterns.`,
      );
  }
  return pattern;
}

/** @see {@link https://docs.aws.amazon.com/eventbridge/latest/userguide/eb-create-pattern-operators.html Comparison operators} */
function isAbsence(value: unknown): value is Exclude<Expected, string> {
  return isDeepStrictEqual(value, { exists: false });
}

function matches(pattern: Pattern, event: Readonly<Record<string, unknown>>): boolean {
  return Object.entries(pattern).every(([field, expected]) => {
    const value = event[field];
    // An absent object has no fields, so it can match a pattern whose fields must not exist.
    if (!isList(expected)) return matches(expected, Object(value));
    if (value === undefined) return expected.some(isAbsence);
    // A list in the event matches if one of its items matches.
    return [value].flat().some((item) => expected.some((one) => one === item));
  });
}

function isList(expected: Pattern[string]): expected is readonly Expected[] {
  return Array.isArray(expected);
}

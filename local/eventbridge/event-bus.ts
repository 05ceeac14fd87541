import type { AsyncInvocations } from '../lambda/async-invocations.ts';
import type { LogsEmulator } from '../logs/emulator.ts';
import { isAboutFullDisk } from '../platform/disk-errors.ts';
import { log } from '../platform/log.ts';
import type { DeadLetterQueues } from '../sqs/dead-letter-queues.ts';
import type { Properties } from '../template/resource.ts';
import type { Template } from '../template/template.ts';
import { checkedPattern, matchesPattern, type Pattern } from './pattern.ts';

export interface BusEvent {
  readonly source: string;
  readonly 'detail-type': string;
  readonly detail: Readonly<Record<string, unknown>>;
  readonly [field: string]: unknown;
}

export const defaultBus = 'default';

interface Target {
  readonly arn: string;
  readonly ruleArn: string;
  readonly deadLetterArn?: string;
}

interface Rule {
  readonly busName: string;
  readonly pattern: Pattern;
  readonly targets: readonly Target[];
}

interface Dependencies {
  readonly invocations: Pick<AsyncInvocations, 'put'>;
  readonly deadLetterQueues: DeadLetterQueues;
  readonly logs: Pick<LogsEmulator, 'put'>;
}

/** Invokes functions asynchronously, so Lambda's queue retries events that a function cannot process. */
export class EventBus {
  private rules: readonly Rule[] = [];
  private buses: ReadonlySet<string> = new Set();
  private readonly dependencies: Dependencies;

  constructor(template: Template, dependencies: Dependencies) {
    this.dependencies = dependencies;
    this.deploy(template);
  }

  /** @throws Error with the logical ID of a rule whose pattern or target the emulator does not support */
  deploy(template: Template): void {
    const buses = template.ofType('AWS::Events::EventBus').map((resource) => template.idOf(resource));
    this.buses = new Set([defaultBus, ...buses]);
    this.rules = template.ofType('AWS::Events::Rule').map((resource) => {
      const { logicalId, properties } = resource;
      return {
        busName: properties.EventBusName ?? defaultBus,
        pattern: checkedPattern(properties.EventPattern, logicalId),
        targets: properties.Targets.map((target: Properties) => ({
          ...targetOf(target, logicalId),
          ruleArn: template.arnOf(resource),
        })),
      };
    });
  }

  has(busName: string): boolean {
    return this.buses.has(busName);
  }

  /**
   * If a delivery fails, logs the error, and sends the event to the target's dead-letter queue, if any.
   *
   * @throws Error if the disk is full, or the template does not contain that dead-letter queue
   */
  put(event: BusEvent, busName = defaultBus): void {
    for (const rule of this.rules)
      if (rule.busName === busName && matchesPattern(rule.pattern, event))
        for (const target of rule.targets) this.deliver(target, event);
  }

  private deliver({ arn, ruleArn, deadLetterArn }: Target, event: BusEvent): void {
    const { invocations, deadLetterQueues, logs } = this.dependencies;
    try {
      if (arn.includes(':sqs:')) deadLetterQueues.put(arn, JSON.stringify(event));
      else if (arn.includes(':log-group:')) logs.put(groupNameIn(arn), JSON.stringify(event));
      else invocations.put(arn, event);
    } catch (error) {
      // The sender repeats the event when there is space.
      if (isAboutFullDisk(error)) throw error;
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

function groupNameIn(arn: string): string {
  return arn.slice(arn.indexOf(':log-group:') + ':log-group:'.length);
}

function targetOf(
  { Arn, Input, InputPath, InputTransformer, DeadLetterConfig }: Properties,
  logicalId: string,
): Omit<Target, 'ruleArn'> {
  if (!/:(function|sqs|log-group):/.test(Arn) || Input || InputPath || InputTransformer)
    throw new Error(
      `${logicalId}: the local cloud supports only functions, queues and log groups as targets, without Input, InputPath and InputTransformer.`,
    );
  return { arn: Arn, ...(DeadLetterConfig && { deadLetterArn: DeadLetterConfig.Arn }) };
}

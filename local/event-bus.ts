import { log } from './log.ts';
import type { Template } from './template.ts';

/** An event as EventBridge delivers it. */
export interface BusEvent {
  readonly source: string;
  readonly 'detail-type': string;
  readonly detail: Readonly<Record<string, unknown>>;
  readonly [field: string]: unknown;
}

type Pattern = { readonly [field: string]: Pattern | readonly string[] };

interface Rule {
  readonly pattern: Pattern;
  readonly functionArns: readonly string[];
}

/** How often an event is delivered in all, and how long it waits between two tries, in milliseconds. */
const attempts = 3;
const retryPause = 1_000;

/** EventBridge on this machine: hands events to the functions that the template's rules name. */
export class EventBus {
  private readonly rules: readonly Rule[];
  private readonly invoke: (functionArn: string, event: unknown) => Promise<unknown>;

  constructor(template: Template, invoke: (functionArn: string, event: unknown) => Promise<unknown>) {
    this.invoke = invoke;
    this.rules = template.ofType('AWS::Events::Rule').map(({ logicalId, properties }) => ({
      pattern: checked(properties.EventPattern, logicalId),
      functionArns: properties.Targets.map(
        (target: { Arn: string; Input?: string; InputTransformer?: object }) => {
          if (!target.Arn.includes(':function:') || target.Input || target.InputTransformer)
            throw new Error(
              `${logicalId}: this machine delivers whole events to functions, and nothing else.`,
            );
          return target.Arn;
        },
      ),
    }));
  }

  /** Delivers an event; a target that fails is tried again a few times. */
  async put(event: BusEvent): Promise<void> {
    const targets = this.rules
      .filter(({ pattern }) => matches(pattern, event))
      .flatMap(({ functionArns }) => functionArns);
    await Promise.all(targets.map((target) => this.deliver(target, event)));
  }

  private async deliver(functionArn: string, event: BusEvent): Promise<void> {
    for (let attempt = 1; attempt <= attempts; attempt++) {
      try {
        await this.invoke(functionArn, event);
        return;
      } catch (error) {
        log(
          `An event could not be delivered to ${functionArn.split(':').at(-1)}: ${(error as Error).message}`,
        );
        await new Promise((resolve) => setTimeout(resolve, retryPause).unref());
      }
    }
  }
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
    if (Array.isArray(expected)) return expected.includes(value);
    return (
      typeof value === 'object' &&
      value !== null &&
      matches(expected as Pattern, value as Record<string, unknown>)
    );
  });
}

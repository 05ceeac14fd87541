import { jest } from '@jest/globals';
import type { APIGatewayProxyResult } from 'aws-lambda';
import * as errors from '../../lambdas/domain/platform/errors.ts';
import { injectFaults, Process, running, type Sent } from '../support/faults.ts';

/** A process of a function, with a clock that stands still and a log of its own. */
export class Sandbox extends Process {
  /** Milliseconds since 1970. */
  readonly now: number;
  readonly logged: string[] = [];

  constructor(now: number) {
    super();
    this.now = now;
  }
}

/** Puts the injector below the clients, and gives each sandbox its clock and its log. */
export function useSandboxes(): void {
  beforeAll(() => {
    injectFaults();
    const clock = Date.now;
    const sandbox = () => {
      const process = running();
      return process instanceof Sandbox ? process : undefined;
    };
    jest.spyOn(Date, 'now').mockImplementation(() => sandbox()?.now ?? clock());
    // The pauses between tries are made by chance: these are short.
    jest.spyOn(Math, 'random').mockReturnValue(0.001);
    for (const level of ['error', 'info', 'warn'] as const)
      jest.spyOn(console, level).mockImplementation((...words) => {
        const process = sandbox();
        if (process && !process.dead) process.logged.push(JSON.stringify(words));
      });
  });
}

/** What came of an invocation: an HTTP answer, what a job returned or threw, or nothing, since its process died. */
export type Answer =
  | { readonly kind: 'answered'; readonly result: APIGatewayProxyResult }
  | { readonly kind: 'returned'; readonly value: unknown }
  | { readonly kind: 'thrown'; readonly error: Error }
  | { readonly kind: 'died' };

/** One try of a scenario: the processes that took part in it, and what came of them all. */
export class Trial {
  private readonly sandboxes: Sandbox[] = [];
  /** What was thrown that has no name. */
  readonly nameless: Error[] = [];

  /** Lets a function run in a process of its own. */
  async run(work: () => Promise<unknown>, sandbox: Sandbox): Promise<Answer> {
    this.sandboxes.push(sandbox);
    try {
      const value = await sandbox.run(work);
      if (sandbox.dead) return { kind: 'died' };
      return isResult(value) ? { kind: 'answered', result: value } : { kind: 'returned', value };
    } catch (thrown) {
      const error = thrown as Error;
      if (!isNamed(error)) this.nameless.push(error);
      return { kind: 'thrown', error };
    }
  }

  get sent(): readonly Sent[] {
    return this.sandboxes.flatMap((sandbox) => sandbox.sent());
  }

  /** Whether an event was logged that an alarm counts. */
  alarmed(event: string): boolean {
    return this.logged.includes(`"event":"${event}"`);
  }

  get logged(): string {
    return this.sandboxes.flatMap((sandbox) => sandbox.logged).join('\n');
  }
}

/** True for a failure that callers can act upon, for several that a job tells at once, and for the authorizer's refusal. */
function isNamed(error: Error): boolean {
  if (error instanceof AggregateError) return error.errors.every(({ cause }) => isNamed(cause));
  return error.message === 'Unauthorized' || Object.values(errors).some((kind) => error instanceof kind);
}

function isResult(value: unknown): value is APIGatewayProxyResult {
  return typeof value === 'object' && value !== null && 'statusCode' in value;
}

/** The status of an HTTP answer; 0 where there is none. */
export function statusOf(answer: Answer): number {
  return answer.kind === 'answered' ? answer.result.statusCode : 0;
}

/** True for 2xx and 3xx, and for a job that is done. */
export function isDone(answer: Answer): boolean {
  const status = statusOf(answer);
  return answer.kind === 'returned' || (status >= 200 && status < 400);
}

/** True for 4xx, and for an authorizer that lets nobody in. */
export function isRefused(answer: Answer): boolean {
  const status = statusOf(answer);
  return answer.kind === 'thrown' ? answer.error.message === 'Unauthorized' : status >= 400 && status < 500;
}

import type { APIGatewayProxyResult } from 'aws-lambda';
import { errorClasses } from '../support/errors.ts';
import { injectFaults, Process, running, type Sent } from '../support/faults.ts';

/** A process of a function, with a stopped clock and its own log. */
export class Sandbox extends Process {
  /** Milliseconds since 1970. */
  readonly now: number;
  readonly logged: string[] = [];

  constructor(now: number) {
    super();
    this.now = now;
  }
}

/** Installs the fault injector below the clients, and gives each sandbox its own clock and log. */
export function useSandboxes(): void {
  beforeAll(() => {
    injectFaults();
    const clock = Date.now;
    const sandbox = () => {
      const process = running();
      return process instanceof Sandbox ? process : undefined;
    };
    jest.spyOn(Date, 'now').mockImplementation(() => sandbox()?.now ?? clock());
    // The SDK multiplies the delays between its retries by this value.
    jest.spyOn(Math, 'random').mockReturnValue(0.001);
    for (const level of ['error', 'info', 'warn'] as const)
      jest.spyOn(console, level).mockImplementation((...words) => {
        const process = sandbox();
        if (process && !process.dead) process.logged.push(JSON.stringify(words));
      });
  });
}

/** The result of an invocation: an HTTP response, the value or error of a job, or none because the process died. */
export type InvocationResult =
  | { readonly kind: 'responded'; readonly result: APIGatewayProxyResult }
  | { readonly kind: 'returned'; readonly value: unknown }
  | { readonly kind: 'thrown'; readonly error: Error }
  | { readonly kind: 'died' };

/** A run of a scenario: its processes, their emails and their logs. */
export class Trial {
  private readonly sandboxes: Sandbox[] = [];
  /** The thrown errors whose class is `Error` itself. */
  readonly unexpected: Error[] = [];
  /** How far the clocks of the functions that repeat the call are ahead of the clock of the first function, in seconds. */
  readonly ahead: number;

  constructor(ahead = 0) {
    this.ahead = ahead;
  }

  async run(work: () => Promise<unknown>, sandbox: Sandbox): Promise<InvocationResult> {
    this.sandboxes.push(sandbox);
    try {
      const value = await sandbox.run(work);
      if (sandbox.dead) return { kind: 'died' };
      return isResult(value) ? { kind: 'responded', result: value } : { kind: 'returned', value };
    } catch (thrown) {
      const error = thrown as Error;
      if (!isExpected(error)) this.unexpected.push(error);
      return { kind: 'thrown', error };
    }
  }

  get sent(): readonly Sent[] {
    return this.sandboxes.flatMap((sandbox) => sandbox.sent());
  }

  alarmed(event: string): boolean {
    return this.logged.includes(`"event":"${event}"`);
  }

  get logged(): string {
    return this.sandboxes.flatMap((sandbox) => sandbox.logged).join('\n');
  }
}

/** Returns true for domain errors, for aggregates of domain errors, and for a refusal by the authorizer. */
function isExpected(error: Error): boolean {
  if (error instanceof AggregateError) return error.errors.every(({ cause }) => isExpected(cause));
  return (
    error.message === 'Unauthorized' || Object.values(errorClasses).some((kind) => error instanceof kind)
  );
}

function isResult(value: unknown): value is APIGatewayProxyResult {
  return typeof value === 'object' && value !== null && 'statusCode' in value;
}

/** Returns the status of an HTTP response, or 0 if there is no response. */
export function statusOf(outcome: InvocationResult): number {
  return outcome.kind === 'responded' ? outcome.result.statusCode : 0;
}

/** Returns the body of an HTTP response, or an empty text if there is no response. */
export function bodyOf(outcome: InvocationResult): string {
  return outcome.kind === 'responded' ? outcome.result.body : '';
}

/** Returns true if the response states that the mail may have been sent, and that the bark was not counted. */
export function isMailUnknown(outcome: InvocationResult): boolean {
  return bodyOf(outcome).includes('#problem-mail-unknown"');
}

/** Returns true for 2xx and 3xx, and for a job that returned. */
export function isDone(outcome: InvocationResult): boolean {
  const status = statusOf(outcome);
  return outcome.kind === 'returned' || (status >= 200 && status < 400);
}

/** Returns true for 4xx, and for a refusal by the authorizer. */
export function isRefused(outcome: InvocationResult): boolean {
  const status = statusOf(outcome);
  return outcome.kind === 'thrown' ? outcome.error.message === 'Unauthorized' : status >= 400 && status < 500;
}

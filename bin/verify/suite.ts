import { barks } from './barks.ts';
import { type Check, type Deployment, Unproven } from './check.ts';
import { httpDetails } from './http-details.ts';
import { mail } from './mail.ts';
import { tokens } from './tokens.ts';

export interface Result {
  readonly state: 'proven' | 'FAILED' | 'unproven';
  readonly statement: string;
  /** What was found, unless the statement is proven. */
  readonly text?: string;
}

/**
 * Groups of checks. Those that wait for AWS are in groups of their own, because all groups run at the same time. `monitoring` follows
 * when they have ended, because it looks for the metrics of their requests.
 */
export const suite: readonly (readonly Check[])[] = [
  httpDetails,
  tokens,
  ...[...barks, ...mail].map((check) => [check]),
];

/** Runs the groups at the same time, and the checks of each in order. Reports nothing after the deployment's signal. */
export async function runChecks(
  groups: readonly (readonly Check[])[],
  deployment: Deployment,
  report: (result: Result) => void,
): Promise<void> {
  const run = async (checks: readonly Check[]) => {
    for (const check of checks) {
      if (deployment.signal.aborted) return;
      const result = await resultOf(check, deployment);
      if (!deployment.signal.aborted) report(result);
    }
  };
  await Promise.all(groups.map(run));
}

async function resultOf({ statement, run }: Check, deployment: Deployment): Promise<Result> {
  try {
    await run(deployment);
    return { state: 'proven', statement };
  } catch (error) {
    const { message } = error as Error;
    return { state: error instanceof Unproven ? 'unproven' : 'FAILED', statement, text: message };
  }
}

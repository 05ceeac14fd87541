import { barks } from './barks.ts';
import { type Check, type Deployment, Unproven } from './check.ts';
import { httpDetails } from './http-details.ts';
import { mail } from './mail.ts';
import { monitoring } from './monitoring.ts';
import { tokens } from './tokens.ts';

export interface Result {
  readonly state: 'proven' | 'FAILED' | 'unproven';
  readonly statement: string;
  /** What was found, unless the statement is proven. */
  readonly text?: string;
}

/** Groups of checks. Those that wait for AWS are in groups of their own, because all groups run at the same time. */
export const suite: readonly (readonly Check[])[] = [
  httpDetails,
  tokens,
  ...[...barks, ...mail].map((check) => [check]),
];

/** Runs the groups at the same time, the checks of each in order, and then those of `monitoring`, which count their requests. */
export async function runChecks(
  groups: readonly (readonly Check[])[],
  deployment: Deployment,
  report: (result: Result) => void,
): Promise<void> {
  const run = async (checks: readonly Check[]) => {
    for (const check of checks) {
      const result = await resultOf(check, deployment);
      if (deployment.signal.aborted) return;
      report(result);
    }
  };
  await Promise.all(groups.map(run));
  if (!deployment.signal.aborted && groups === suite) await run(monitoring);
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

import type { Stack } from '@aws-sdk/client-cloudformation';
import type { Stage } from '../../lib/stages.ts';
import { fileOf } from '../../lib/stages.ts';
import { failed, ok, type Result } from './finding.ts';

type Values = Readonly<Record<string, unknown>>;

/** What is now a setting, with the value that every stack had before. */
const formerlyFixed: Values = { tlsPolicy: 'SecurityPolicy_TLS13_1_2_PFS_PQ_2025_09' };

/** Returns undefined if the stack has no output with its settings, as in version 1.0.0. */
export function settingsOf(stack: Stack | undefined): Values | undefined {
  const output = stack?.Outputs?.find(({ OutputKey }) => OutputKey === 'Settings')?.OutputValue;
  return output === undefined ? undefined : { ...formerlyFixed, ...JSON.parse(output) };
}

/**
 * Fails if a deployment would change settings that the stage's file does not list, or if the stack does not state the settings
 * with which it was deployed.
 */
export function checkSettings({ settings, listed }: Stage, stack: Stack | undefined): Result {
  const file = fileOf(settings.stage);
  if (stack === undefined || !hasResources(stack)) return ok(file);
  const deployed = settingsOf(stack);
  if (deployed === undefined)
    return failed(
      `The stack does not state its settings, so every setting that ${file} does not list would be reset to its default. List the settings with which the stack was deployed. ${acceptance}`,
    );
  const changes = Object.entries(settings)
    .map(([name, value]) => ({ name, before: deployed[name], after: value }))
    .filter(
      ({ name, before, after }) =>
        Object.hasOwn(deployed, name) && !listed.has(name) && !isSame(before, after),
    )
    .map(({ name, before, after }) => `${name} from ${JSON.stringify(before)} to ${JSON.stringify(after)}`);
  return changes.length === 0
    ? ok(file)
    : failed(
        `The deployment would change settings that ${file} does not list: ${changes.join(', ')}. List them. ${acceptance}`,
      );
}

export const settingsUnknown = (error: Error): Result =>
  failed(`The settings of the deployed stack cannot be read (${error.message}). ${acceptance}`);

const acceptance = 'To accept the changes, add --accept-setting-changes.';

const isSame = (one: unknown, other: unknown) => JSON.stringify(one) === JSON.stringify(other);

/** Returns false for a stack whose first deployment has not begun or has failed. */
export const hasResources = ({ StackStatus }: Stack) =>
  !/^(REVIEW_IN_PROGRESS|ROLLBACK_COMPLETE|ROLLBACK_FAILED|CREATE_FAILED)$/.test(`${StackStatus}`);

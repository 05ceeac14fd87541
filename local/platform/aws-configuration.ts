import { devNull } from 'node:os';

/** Environment variables that begin with `AWS_`. */
export type AwsVariables = Readonly<Record<string, string | undefined>>;

/** Instead of the user's configuration files in `~/.aws`, the AWS SDK reads empty ones. */
export const emptyConfigurationFiles = { AWS_CONFIG_FILE: devNull, AWS_SHARED_CREDENTIALS_FILE: devNull };

/**
 * Removes the user's AWS configuration from the environment, for the SDK clients of this process and of those that it starts.
 * Otherwise a setting such as `AWS_USE_FIPS_ENDPOINT` could make a client of the local cloud call AWS.
 *
 * @returns the removed variables
 */
export function removeAwsConfiguration(environment: NodeJS.ProcessEnv = process.env): AwsVariables {
  const removed: Record<string, string | undefined> = {};
  // On Windows, the names of variables ignore case.
  for (const name of Object.keys(environment).filter((one) => /^AWS_/i.test(one))) {
    removed[name.toUpperCase()] = environment[name];
    delete environment[name];
  }
  Object.assign(environment, emptyConfigurationFiles);
  return removed;
}

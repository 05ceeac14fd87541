import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { CloudFormationClient, DescribeStacksCommand } from '@aws-sdk/client-cloudformation';
import type { Environment } from '../../lambdas/environment.ts';
import { UsageError } from './usage.ts';

/** The outputs of a stack. */
export type Outputs = Readonly<Record<string, string>>;

/** The environment variables of the functions that the commands need, and the outputs that have their values. */
const variables = {
  DOGS_TABLE: 'DogsTable',
  BARKS_TABLE: 'BarksTable',
  ACCESS_TABLE: 'AccessTable',
  SCHEDULE_GROUP: 'ScheduleGroup',
  SCHEDULE_TARGET_ARN: 'ScheduleTarget',
  SCHEDULE_ROLE_ARN: 'ScheduleRole',
  SCHEDULE_DLQ_ARN: 'ScheduleDlq',
  SIGNING_KEY_SECRET: 'SigningKeySecret',
  CREDENTIALS: 'Credentials',
} satisfies Partial<Record<keyof Environment, string>>;

type Identity = 'client' | 'administrator';

/**
 * Sets the environment variables of this process to the values that the functions of a stack have.
 *
 * @param stack the name of the stack; undefined for the service on this machine
 * @param identity for the service on this machine: `client` has the operator's permissions, `administrator` has all
 * @returns the outputs of the stack
 * @throws UsageError if the stack cannot be read, or if no service runs on this machine
 */
export async function useDeployment(
  stack: string | undefined,
  identity: Identity = 'client',
): Promise<Outputs> {
  const outputs = stack === undefined ? useThisMachine(identity) : await outputsOf(stack);
  for (const [variable, output] of Object.entries(variables)) process.env[variable] = outputs[output] ?? '';
  return outputs;
}

function useThisMachine(identity: Identity): Outputs {
  const { [identity]: client, outputs } = readOperatorFile();
  process.env.AWS_ENDPOINT_URL = client.endpoint;
  process.env.AWS_REGION = client.region;
  process.env.AWS_ACCESS_KEY_ID = client.credentials.accessKeyId;
  process.env.AWS_SECRET_ACCESS_KEY = client.credentials.secretAccessKey;
  delete process.env.AWS_SESSION_TOKEN;
  delete process.env.AWS_PROFILE;
  for (const service of ['DYNAMODB', 'DYNAMODB_STREAMS', 'LAMBDA', 'SCHEDULER', 'SECRETS_MANAGER', 'SQS'])
    delete process.env[`AWS_ENDPOINT_URL_${service}`];
  return outputs;
}

/**
 * Returns the outputs and the credentials that the service on this machine writes for its operator.
 *
 * @throws UsageError if no service runs on this machine
 */
export function readOperatorFile() {
  const file = join(process.env.DATA_DIR ?? '.local', 'operator.json');
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    throw new UsageError(
      `No service is running on this machine: ${file} does not exist. Run npm start, or name a stack with --stack.`,
    );
  }
}

async function outputsOf(StackName: string): Promise<Outputs> {
  const { Stacks } = await new CloudFormationClient()
    .send(new DescribeStacksCommand({ StackName }))
    .catch((error) => {
      throw new UsageError(
        `The stack ${StackName} cannot be read. Check your AWS credentials and AWS_REGION. ${error.message}`,
      );
    });
  return Object.fromEntries(
    (Stacks?.[0]?.Outputs ?? []).map(({ OutputKey, OutputValue }) => [OutputKey, OutputValue]),
  );
}

import { randomBytes } from 'node:crypto';
import { proofOf, proofPath, removeAwsConfiguration } from '@rest-actions/local-cloud/platform';
import type { Environment } from '../../lambdas/environment.ts';
import { CommandFailed, notResponding } from './errors.ts';
import { localDocument, localFile } from './local-files.ts';

export type Outputs = Readonly<Record<Required, string>> & Readonly<Record<string, string>>;

type Required = (typeof variables)[keyof typeof variables] | 'BaseUrl' | 'Queues';

/** The variables that both the functions and the commands read, each with the stack output that contains its value. */
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
} as const satisfies Partial<Record<keyof Environment, string>>;

const required: readonly Required[] = ['BaseUrl', 'Queues', ...Object.values(variables)];

type Identity = 'client' | 'administrator';

/**
 * Sets the environment variables above to the values that they have in the stack's functions. For the service on this machine,
 * also sets the endpoint, the region and the credentials for the AWS SDK.
 *
 * @param stack the name of the stack; undefined for the service on this machine
 * @param identity for the service on this machine: `client` has the operator's permissions, `administrator` has all
 * @throws CommandFailed if the stack cannot be read or lacks an output, or if no service is running on this machine
 */
export async function useDeployment(
  stack: string | undefined,
  identity: Identity = 'client',
): Promise<Outputs> {
  const outputs = stack === undefined ? await useThisMachine(identity) : await outputsOf(stack);
  for (const [variable, output] of Object.entries(variables)) process.env[variable] = outputs[output];
  return outputs;
}

async function useThisMachine(identity: Identity): Promise<Outputs> {
  const { [identity]: client, outputs } = await readOperatorFile();
  removeAwsConfiguration();
  process.env.AWS_ENDPOINT_URL = client.endpoint;
  process.env.AWS_REGION = client.region;
  process.env.AWS_ACCESS_KEY_ID = client.credentials.accessKeyId;
  process.env.AWS_SECRET_ACCESS_KEY = client.credentials.secretAccessKey;
  return outputs;
}

interface ClientConfiguration {
  readonly endpoint: string;
  readonly region: string;
  readonly credentials: { readonly accessKeyId: string; readonly secretAccessKey: string };
}

/** The content of `operator.json`, which the service on this machine writes for its operator. */
interface OperatorFile extends Readonly<Record<Identity, ClientConfiguration>> {
  readonly nonce: string;
  readonly outputs: Outputs;
  readonly functions: Readonly<Record<string, string>>;
}

/** The content of `access.json`, which the service on this machine writes for its first user. A user can leave out the client. */
interface AccessFile {
  readonly base_url: string;
  readonly username: string;
  readonly password: string;
  readonly client_id?: string;
  readonly client_secret?: string;
  readonly refresh_token?: string;
}

/** @throws CommandFailed if the file is missing or damaged */
export function readAccessFile(): AccessFile {
  const content = Object(localDocument('access.json')) as AccessFile;
  if ([content.base_url, content.username, content.password].some((value) => typeof value !== 'string'))
    throw new CommandFailed(
      `${localFile('access.json')} is missing or damaged. Restore it from a backup. If you delete it, the next start creates a new password.`,
    );
  return content;
}

/**
 * Returns the content of `operator.json`. First checks that the endpoint still belongs to the service that wrote the file,
 * because commands send secrets there.
 *
 * @throws CommandFailed if no service is running on this machine, or if the endpoint belongs to another program
 */
export async function readOperatorFile(): Promise<OperatorFile> {
  const file = localFile('operator.json');
  const content = localDocument('operator.json') as OperatorFile | undefined | null;
  if (typeof content?.nonce !== 'string' || typeof content.client?.endpoint !== 'string')
    throw new CommandFailed(
      `No service is running on this machine: ${file} cannot be read. Run npm start, or name a stack with --stack.`,
    );
  const { endpoint } = content.client;
  const challenge = randomBytes(32).toString('base64url');
  const proof = await proofFrom(`${endpoint}${proofPath}${challenge}`);
  if (proof === undefined) throw notResponding();
  if (proof !== proofOf(content.nonce, challenge))
    throw new CommandFailed(
      `The program at ${endpoint} is not the service that wrote ${file}. Start the service with npm start.`,
    );
  return content;
}

const proofTimeoutMs = 5_000;

async function proofFrom(url: string): Promise<string | undefined> {
  try {
    const response = await fetch(url, { redirect: 'error', signal: AbortSignal.timeout(proofTimeoutMs) });
    return await response.text();
  } catch {
    return undefined;
  }
}

/** @throws CommandFailed if the stack cannot be read or lacks an output */
async function outputsOf(StackName: string): Promise<Outputs> {
  // Commands for the service on this machine do not need this client, and start faster without it.
  const { CloudFormationClient, DescribeStacksCommand } = await import('@aws-sdk/client-cloudformation');
  const { Stacks } = await new CloudFormationClient()
    .send(new DescribeStacksCommand({ StackName }))
    .catch((error) => {
      throw new CommandFailed(
        `The stack ${StackName} cannot be read. Check your AWS credentials and AWS_REGION. ${error.message}`,
      );
    });
  const { Outputs = [], StackStatus = '' } = Stacks?.[0] ?? {};
  const outputs = Object.fromEntries(Outputs.map(({ OutputKey, OutputValue }) => [OutputKey, OutputValue]));
  const missing = required.filter((name) => !outputs[name]);
  if (missing.length === 0) return outputs as Outputs;
  const advice = StackStatus.endsWith('_IN_PROGRESS')
    ? 'Try again when its deployment has finished.'
    : 'Deploy it, or name another stack with --stack.';
  throw new CommandFailed(
    `The stack ${StackName} (${StackStatus}) is not a complete dog service. Missing outputs: ${missing.join(', ')}. ${advice}`,
  );
}

export { outputsOf }; // @extension cli|console

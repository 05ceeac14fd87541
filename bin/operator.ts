import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { CloudFormationClient, DescribeStacksCommand } from '@aws-sdk/client-cloudformation';
import * as v from 'valibot';
import { DogPutDocument, dogId } from '../lambdas/domain/dog.ts';
import { AlreadyExists, NotFound, ScheduleRefused, Unavailable } from '../lambdas/domain/errors.ts';

const usage = `The operator's command line of the dog service.

  npm run operator -- users create <name> [--replace]   a user; prints the password, once
  npm run operator -- users revoke <name>               takes the user's access away
  npm run operator -- dogs put <id> [--email <address>] [--owner <URI>]
                      [--effects emailDog,emailOwner,count,record] [--handling sync|async]
  npm run operator -- schedules repair                  makes the schedules again that the scheduler lacks

It acts on the service that runs on this machine (DATA_DIR, .local by default), or with --stack <name> on a deployed
stack, with your AWS credentials and region. --json prints JSON.`;

/** A fault of the call, told without a stack trace. */
class UsageError extends Error {}

const { values, positionals } = parse();

/** The commands; each takes as many names as its function has parameters. */
const commands: Record<string, (...names: string[]) => Promise<object>> = {
  'users create': async (name: string) => {
    const { createUser, userName } = await import('../lambdas/domain/users.ts');
    if (!userName.test(name))
      throw new UsageError(`"${name}" cannot be a user name: 1 to 64 of A-Z a-z 0-9 . _ @ + -`);
    return { username: name, password: await createUser(name, { replace: values.replace }, call()) };
  },
  'users revoke': async (name: string) => {
    const { revokeUser } = await import('../lambdas/domain/users.ts');
    await revokeUser(name, call());
    return { revoked: name };
  },
  'dogs put': async (id: string) => {
    const { putDog } = await import('../lambdas/domain/dogs.ts');
    if (!dogId.test(id))
      throw new UsageError(`"${id}" cannot be the id of a dog: 1 to 40 letters, digits, - or _`);
    const created = await putDog(id, dogSettings(), {}, call());
    return { dog: id, outcome: created ? 'created' : 'replaced' };
  },
  'schedules repair': async () => {
    const { repairSchedules } = await import('../lambdas/domain/repair.ts');
    return repairSchedules(call);
  },
};

try {
  const [noun, verb, ...names] = positionals;
  const command = commands[`${noun} ${verb}`];
  if (names.length !== command?.length) throw new UsageError(usage);
  await prepareEnvironment();
  const result = await command(...names);
  console.log(values.json ? JSON.stringify(result) : inLines(result));
} catch (error) {
  const expected = [UsageError, AlreadyExists, NotFound, ScheduleRefused, Unavailable].some(
    (kind) => error instanceof kind,
  );
  const absent = error instanceof Unavailable && values.stack === undefined;
  if (absent) console.error('The service on this machine does not answer. Does it run? npm start starts it.');
  else console.error(expected ? (error as Error).message : error);
  process.exitCode = 1;
}

function parse() {
  try {
    return parseArgs({
      allowPositionals: true,
      options: {
        stack: { type: 'string' },
        json: { type: 'boolean', default: false },
        replace: { type: 'boolean', default: false },
        email: { type: 'string' },
        owner: { type: 'string' },
        effects: { type: 'string' },
        handling: { type: 'string' },
      },
    });
  } catch (error) {
    console.error(`${(error as Error).message}\n\n${usage}`);
    process.exit(1);
  }
}

function call() {
  return { now: Date.now(), signal: AbortSignal.timeout(10_000) };
}

function dogSettings() {
  const { email, owner, effects, handling } = values;
  const result = v.safeParse(DogPutDocument, {
    ...(email !== undefined && { email }),
    ...(owner !== undefined && { owner }),
    ...(effects !== undefined && { barkEffects: effects.split(',') }),
    ...(handling !== undefined && { barkHandling: handling }),
  });
  if (result.success) return result.output.settings;
  throw new UsageError(result.issues.map(({ path, message }) => `${path?.[0].key} ${message}`).join('\n'));
}

/** Gives this process what the stack gives its functions, before the first of their modules makes a client. */
async function prepareEnvironment(): Promise<void> {
  const outputs = values.stack === undefined ? useThisMachine() : await outputsOf(values.stack);
  process.env.DOGS_TABLE = outputs.DogsTable;
  process.env.ACCESS_TABLE = outputs.AccessTable;
  process.env.SCHEDULE_GROUP = outputs.ScheduleGroup;
  process.env.SCHEDULE_TARGET_ARN = outputs.ScheduleTarget;
  process.env.SCHEDULE_ROLE_ARN = outputs.ScheduleRole;
  process.env.SCHEDULE_DEAD_LETTERS_ARN = outputs.ScheduleDeadLetters;
}

function useThisMachine(): Record<string, string> {
  const directory = process.env.DATA_DIR ?? '.local';
  const { client, outputs } = readOperatorFile(join(directory, 'operator.json'));
  process.env.AWS_ENDPOINT_URL = client.endpoint;
  process.env.AWS_REGION = client.region;
  process.env.AWS_ACCESS_KEY_ID = client.credentials.accessKeyId;
  process.env.AWS_SECRET_ACCESS_KEY = client.credentials.secretAccessKey;
  delete process.env.AWS_SESSION_TOKEN;
  delete process.env.AWS_PROFILE;
  delete process.env.AWS_ENDPOINT_URL_DYNAMODB;
  delete process.env.AWS_ENDPOINT_URL_SCHEDULER;
  return outputs;
}

function readOperatorFile(file: string) {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    throw new UsageError(
      `No service runs on this machine (there is no ${file}): npm start, or name a --stack.`,
    );
  }
}

async function outputsOf(StackName: string): Promise<Record<string, string>> {
  const { Stacks } = await new CloudFormationClient()
    .send(new DescribeStacksCommand({ StackName }))
    .catch((error) => {
      throw new UsageError(`The stack ${StackName} cannot be read: ${error.message}`);
    });
  return Object.fromEntries(
    (Stacks?.[0]?.Outputs ?? []).map(({ OutputKey, OutputValue }) => [OutputKey, OutputValue]),
  );
}

function inLines(result: object): string {
  return Object.entries(result)
    .map(([name, value]) => `${name}: ${value}`)
    .join('\n');
}

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { parseArgs } from 'node:util';
import { CloudFormationClient, DescribeStacksCommand } from '@aws-sdk/client-cloudformation';
import * as v from 'valibot';
import { accessName } from '../lambdas/domain/access-name.ts';
import type { CredentialClient, CredentialSecrets } from '../lambdas/domain/credential.ts';
import { DogPutDocument, dogId } from '../lambdas/domain/dog.ts';
import {
  AlreadyExists,
  InvalidGrant,
  NotFound,
  NotYet,
  ScheduleRefused,
  Unavailable,
} from '../lambdas/domain/errors.ts';
import type { Environment } from '../lambdas/environment.ts';

const usage = `The operator's command line of the dog service.

  npm run operator -- access create <name> [--replace] [--credential <name>]
                      a user, a client of the same name and a grant between them: all that it takes to call, as
                      access.json has it, once; and a credential of them, kept fresh
  npm run operator -- users create <name> [--replace]   a user; prints the password, once
  npm run operator -- users revoke <name>               takes the user's access away
  npm run operator -- clients create <id> [--replace]   a client of the token endpoint; prints its secret, once
  npm run operator -- clients revoke <id>
  npm run operator -- grants create <user> <client>     lets the client act for the user; prints the refresh token, once
  npm run operator -- grants revoke <grant>             by the name that was printed with it
  npm run operator -- keys replace                      a new key to sign access tokens with
  npm run operator -- credentials put <name>            a credential to keep fresh; reads {"auth_url", "client_id",
                      "client_secret", "refresh_token"} as JSON from its input, and refreshes it at once
  npm run operator -- dogs put <id> [--email <address>] [--owner <URI>]
                      [--effects emailDog,emailOwner,count,record] [--handling sync|async]
  npm run operator -- schedules repair                  makes the schedules again that the scheduler lacks

  npm run operator -- credentials move <name> <from> <to>   its token endpoint has another URL now

It acts on the service that runs on this machine (DATA_DIR, .local by default), or with --stack <name> on a deployed
stack, with your AWS credentials and region. --json prints JSON.`;

/** A fault of the call, told without a stack trace. */
class UsageError extends Error {}

/** The variables of the functions, and the outputs of the stack that tell their values. */
const variables = {
  DOGS_TABLE: 'DogsTable',
  ACCESS_TABLE: 'AccessTable',
  SCHEDULE_GROUP: 'ScheduleGroup',
  SCHEDULE_TARGET_ARN: 'ScheduleTarget',
  SCHEDULE_ROLE_ARN: 'ScheduleRole',
  SCHEDULE_DEAD_LETTERS_ARN: 'ScheduleDeadLetters',
  SIGNING_KEY_SECRET: 'SigningKeySecret',
  CREDENTIALS: 'Credentials',
} satisfies Partial<Record<keyof Environment, string>>;

const { values, positionals } = parse();

/** Of the stack. */
let outputs: Record<string, string> = {};

/** The commands; each takes as many names as its function has parameters. */
const commands: Record<string, (...names: string[]) => Promise<object>> = {
  'access create': async (name: string) => {
    checkName(name);
    const { createUser } = await import('../lambdas/domain/users.ts');
    const password = await createUser(name, { replace: values.replace }, call());
    const client = { client_id: name, client_secret: await newClient(name) };
    const { refresh_token } = await newGrant(name, name);
    const auth_url = outputs.BaseUrl ?? '';
    if (values.credential !== undefined)
      await putCredential(values.credential, { auth_url, ...client }, refresh_token);
    return { base_url: auth_url, username: name, password, auth_url, ...client, refresh_token };
  },
  'users create': async (name: string) => {
    const { createUser } = await import('../lambdas/domain/users.ts');
    checkName(name);
    return { username: name, password: await createUser(name, { replace: values.replace }, call()) };
  },
  'clients create': async (id: string) => {
    checkName(id);
    return { client_id: id, client_secret: await newClient(id) };
  },
  'clients revoke': async (id: string) => {
    const { revokeClient } = await import('../lambdas/domain/clients.ts');
    await revokeClient(id, call());
    return { revoked: id };
  },
  'grants create': (user: string, client: string) => newGrant(user, client),
  'grants revoke': async (grant: string) => {
    const { revokeGrant } = await import('../lambdas/domain/grants.ts');
    await revokeGrant(grant, call());
    return { revoked: grant };
  },
  'keys replace': async () => {
    const { replaceKey } = await import('../lambdas/domain/signing-keys.ts');
    const { kid, from } = await replaceKey(call());
    return { kid, signs_from: new Date(from * 1000).toISOString() };
  },
  'credentials put': async (name: string) => {
    const { client, refreshToken } = await credentialInput();
    return { credential: name, outcome: await putCredential(name, client, refreshToken) };
  },
  'credentials move': async (name: string, from: string, to: string) => {
    const { moveCredential } = await import('../lambdas/domain/credential.ts');
    return { credential: name, moved: await moveCredential(credentialNamed(name), { from, to }, call()) };
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
  const expected = [
    UsageError,
    AlreadyExists,
    InvalidGrant,
    NotFound,
    NotYet,
    ScheduleRefused,
    Unavailable,
  ].some((kind) => error instanceof kind);
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
        credential: { type: 'string' },
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

function checkName(name: string): void {
  if (!accessName.test(name))
    throw new UsageError(`"${name}" cannot be a name: 1 to 64 of A-Z a-z 0-9 . _ @ + -`);
}

/** The credential of the deployment that has this name. */
function credentialNamed(name: string): CredentialSecrets {
  const all: CredentialSecrets[] = JSON.parse(process.env.CREDENTIALS ?? '[]');
  const found = all.find((one) => one.name === name);
  if (found) return found;
  const names = all.map((one) => one.name).join(', ');
  throw new UsageError(`The deployment keeps no credential "${name}" (setting credentials), but: ${names}.`);
}

/** Secrets come by the input, because everybody on a machine can read the arguments of a command. */
async function credentialInput() {
  const { CredentialClient } = await import('../lambdas/domain/credential.ts');
  const schema = v.strictObject({
    ...CredentialClient.entries,
    refresh_token: v.pipe(v.string(), v.nonEmpty()),
  });
  const result = v.safeParse(schema, parsedJson(await text(process.stdin)));
  if (!result.success)
    throw new UsageError(
      result.issues.map((issue) => `${v.getDotPath(issue) ?? 'The input'}: ${issue.message}`).join('\n'),
    );
  const { refresh_token: refreshToken, ...client } = result.output;
  return { client, refreshToken };
}

function parsedJson(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    throw new UsageError('The input is not JSON.');
  }
}

/** Makes a client, and before it the key without which it would get no token. */
async function newClient(id: string): Promise<string> {
  const { createClient } = await import('../lambdas/domain/clients.ts');
  const { ensureKey } = await import('../lambdas/domain/signing-keys.ts');
  await ensureKey(call());
  return createClient(id, { replace: values.replace }, call());
}

async function newGrant(user: string, client: string): Promise<{ grant: string; refresh_token: string }> {
  const { createGrant } = await import('../lambdas/domain/grants.ts');
  const { grant, refreshToken } = await createGrant(user, client, call());
  return { grant, refresh_token: refreshToken };
}

/** Stores a credential, and refreshes it, so that it is clear at once whether it works. */
async function putCredential(name: string, client: CredentialClient, refreshToken: string) {
  const { refreshCredential, storeCredential } = await import('../lambdas/domain/credential.ts');
  const secrets = credentialNamed(name);
  await storeCredential(secrets, client, refreshToken, call());
  return refreshCredential(secrets, call());
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
  outputs = values.stack === undefined ? useThisMachine() : await outputsOf(values.stack);
  for (const [variable, output] of Object.entries(variables)) process.env[variable] = outputs[output] ?? '';
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
  for (const service of ['DYNAMODB', 'SCHEDULER', 'SECRETS_MANAGER'])
    delete process.env[`AWS_ENDPOINT_URL_${service}`];
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

import { text } from 'node:stream/consumers';
import * as v from 'valibot';
import { createClient, revokeClient } from '../../lambdas/domain/access/clients.ts';
import { createGrant, revokeGrant } from '../../lambdas/domain/access/grants.ts';
import { accessName } from '../../lambdas/domain/access/keys.ts';
import { findAccessItem } from '../../lambdas/domain/access/repository.ts';
import { createUser, revokeUser } from '../../lambdas/domain/access/users.ts';
import { type CredentialSecrets, readCredential } from '../../lambdas/domain/credentials/repository.ts';
import { CredentialClient } from '../../lambdas/domain/credentials/schema.ts';
import { moveCredential, storeCredential } from '../../lambdas/domain/credentials/store.ts';
import { type DogSettings, dogId } from '../../lambdas/domain/dogs/dog.ts';
import { purgeOrphans } from '../../lambdas/domain/dogs/orphans.ts';
import { putDog } from '../../lambdas/domain/dogs/repository.ts';
import { DogPutDocument } from '../../lambdas/domain/dogs/schema.ts';
import { documentOf } from '../../lambdas/domain/platform/document.ts';
import { AlreadyExists } from '../../lambdas/domain/platform/errors.ts';
import { repairSchedules } from '../../lambdas/domain/schedules/repair.ts';
import { ensureKey, replaceKey } from '../../lambdas/domain/tokens/signing-keys.ts';
import { suggestionFor } from '../../lib/suggestion.ts';
import type { Command } from './command-type.ts';
import { queueCommands } from './queue-commands.ts';
import { tableCommands } from './table-commands.ts';
import { type Options, UsageError } from './usage.ts';

export const commands: Readonly<Record<string, Command>> = {
  'access create': async ({ options, outputs: { BaseUrl = '' } }, name: string) => {
    const credential = options.credential === undefined ? undefined : credentialNamed(options.credential);
    checked(name);
    if (!options.replace) await expectNone(name);
    const client = await newClient(name, options);
    const password = await createUser(name, options, newContext());
    const { refreshToken: refresh_token } = await createGrant(name, name, options, newContext());
    if (credential)
      await storeCredential(credential, { auth_url: BaseUrl, ...client }, refresh_token, newContext()).catch(
        (error) => {
          // The command still prints what it has created, because the secrets are stored only as hashes.
          console.error(`The credential was not stored. ${error.message}`);
          process.exitCode = 1;
        },
      );
    return { base_url: BaseUrl, username: name, password, auth_url: BaseUrl, ...client, refresh_token };
  },
  'users create': async ({ options }, name: string) => ({
    username: checked(name),
    password: await createUser(name, options, newContext()),
  }),
  'users revoke': async (_, name: string) => {
    await revokeUser(name, newContext());
    return { revoked: name };
  },
  'clients create': async ({ options }, id: string) => newClient(checked(id), options),
  'clients revoke': async (_, id: string) => {
    await revokeClient(id, newContext());
    return { revoked: id };
  },
  'grants create': async ({ options }, user: string, client: string) => {
    const { grant, refreshToken } = await createGrant(user, client, options, newContext());
    return { grant, refresh_token: refreshToken };
  },
  'grants revoke': async (_, grant: string) => {
    await revokeGrant(grant, newContext());
    return { revoked: grant };
  },
  'keys replace': async (_) => {
    const { kid, from } = await replaceKey(newContext());
    return { kid, signs_from: new Date(from * 1000).toISOString() };
  },
  'credentials put': async (_, name: string) => {
    const { refresh_token, ...client } = parsed(CredentialInput, jsonOf(await text(process.stdin)));
    await storeCredential(credentialNamed(name), client, refresh_token, newContext());
    return { stored: name };
  },
  'credentials show': async (_, name: string) => {
    const credential = await readCredential(credentialNamed(name), newContext());
    if (!credential)
      throw new UsageError(`The credential "${name}" is not stored yet. Store it with "credentials put".`);
    return credential;
  },
  'credentials move': async (_, name: string, from: string, to: string) => ({
    credential: name,
    moved: await moveCredential(credentialNamed(name), { from, to }, newContext()),
  }),
  'dogs put': async ({ options }, id: string) => {
    if (!dogId.test(id))
      throw new UsageError(
        `"${id}" is not a valid ID for a dog. An ID has 1 to 40 characters: letters, digits, - and _.`,
      );
    const created = await putDog(id, dogSettings(options), {}, newContext());
    return { dog: id, outcome: created ? 'created' : 'replaced' };
  },
  'orphans purge': async (_) => purgeOrphans(() => newContext(purgeTimeoutMs)),
  'schedules repair': async (_) => {
    const { refused, ...counts } = await repairSchedules(() => newContext());
    return refused.length > 0 ? { ...counts, refused: refused.join(', ') } : counts;
  },
  ...queueCommands,
  ...tableCommands,
};

/** The time limit for the purge of one dog, in milliseconds. It is the timeout of the function PurgeDog. */
const purgeTimeoutMs = 5 * 60_000;

function newContext(milliseconds = 10_000) {
  return { now: Date.now(), signal: AbortSignal.timeout(milliseconds) };
}

/** Creates a client. If there is no signing key, creates one first, because the client could not get tokens without it. */
async function newClient(
  id: string,
  options: Options,
): Promise<{ client_id: string; client_secret: string }> {
  await ensureKey(() => newContext());
  return { client_id: id, client_secret: await createClient(id, options, newContext()) };
}

/**
 * Checks that a name is free, because the command must create both the user and the client or neither of them.
 *
 * @throws AlreadyExists if a user or a client has the name
 */
async function expectNone(name: string): Promise<void> {
  for (const kind of ['user', 'client'] as const)
    if (await findAccessItem(kind, name, newContext())) throw new AlreadyExists(kind, name);
}

/** Returns the credential with a name. @throws UsageError if the deployment has no credential with that name */
function credentialNamed(name: string): CredentialSecrets {
  const all: CredentialSecrets[] = JSON.parse(process.env.CREDENTIALS || '[]');
  const found = all.find((one) => one.name === name);
  if (found) return found;
  const names = all.map((one) => one.name);
  throw new UsageError(
    `Unknown credential "${name}".${suggestionFor(name, names)} The setting credentials has: ${names.join(', ') || 'none'}.`,
  );
}

/** The input of `credentials put`. Secrets are not arguments, because every user of a machine can read arguments. */
const CredentialInput = documentOf({
  ...CredentialClient.entries,
  refresh_token: v.pipe(v.string('is required'), v.nonEmpty('is required')),
});

/** The options that set the fields of a dog. */
const optionOfField: Readonly<Record<string, string>> = {
  email: '--email',
  owner: '--owner',
  barkEffects: '--effects',
  barkHandling: '--handling',
};

function dogSettings({ email, owner, effects, handling }: Options): DogSettings {
  const document = {
    ...(email !== undefined && { email }),
    ...(owner !== undefined && { owner }),
    ...(effects !== undefined && { barkEffects: effects.split(',') }),
    ...(handling !== undefined && { barkHandling: handling }),
  };
  return parsed(DogPutDocument, document, optionOfField).settings;
}

function checked(name: string): string {
  if (accessName.test(name)) return name;
  throw new UsageError(
    `"${name}" cannot be a name. A name has 1 to 64 letters, digits or the characters . _ @ + and -.`,
  );
}

/** @param options the options that set fields. Other fields are from the input of the command */
function parsed<Schema extends v.GenericSchema>(
  schema: Schema,
  document: unknown,
  options: Readonly<Record<string, string>> = {},
): v.InferOutput<Schema> {
  const result = v.safeParse(schema, document);
  if (result.success) return result.output;
  const errors = result.issues.map((issue) => {
    const [field] = issue.path ?? [];
    return `${options[String(field?.key)] ?? v.getDotPath(issue) ?? 'The input'} ${issue.message}.`;
  });
  throw new UsageError(errors.join('\n'));
}

function jsonOf(input: string): unknown {
  try {
    return JSON.parse(input);
  } catch {
    throw new UsageError(
      'The input is not JSON. Send an object with "auth_url", "client_id", "client_secret" and "refresh_token".',
    );
  }
}

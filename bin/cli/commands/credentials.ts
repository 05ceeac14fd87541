import * as v from 'valibot';
import {
  AuthUrl,
  CredentialClient,
  type CredentialSecrets,
  readCredential,
  readCredentialClient,
} from '../../../lambdas/domain/credentials/credential.ts';
import { moveCredential, storeCredential } from '../../../lambdas/domain/credentials/store.ts';
import { documentOf } from '../../../lambdas/domain/platform/document.ts';
import { suggestionFor } from '../../../lib/suggestion.ts';
import { CommandFailed, UsageError } from '../errors.ts';
import type { OperatorRun } from '../operator-group.ts';
import { newContext, parse } from '../parameters.ts';

export const list: OperatorRun = () => Promise.all(credentials().map(summaryOf));

async function summaryOf(secrets: CredentialSecrets): Promise<object> {
  const [client, credential] = await Promise.all([
    readCredentialClient(secrets, newContext()),
    readCredential(secrets, newContext()),
  ]);
  return {
    name: secrets.name,
    auth_url: client?.auth_url ?? null,
    client_id: client?.client_id ?? null,
    expires: credential ? credential.created + credential.expires_in : null,
  };
}

export const get: OperatorRun = async (_, name: string) => {
  const credential = await readCredential(credentialNamed(name), newContext());
  if (credential) return credential;
  throw new CommandFailed(
    `The credential "${name}" is not stored yet. Store it with "npx dogs credentials put".`,
  );
};

export const put: OperatorRun = async ({ readInput }, name: string) => {
  const secrets = credentialNamed(name);
  const { refresh_token, ...client } = parse(CredentialInput, jsonOf(await readInput()));
  await storeCredential(secrets, client, refresh_token, newContext());
  return { stored: name };
};

export const move: OperatorRun = async (_, name: string, from: string, to: string) => {
  const secrets = credentialNamed(name);
  const parsed = parse(v.object({ to: AuthUrl }), { to }, () => 'The new auth_url');
  return { credential: name, moved: await moveCredential(secrets, { from, to: parsed.to }, newContext()) };
};

/** @throws UsageError if the deployment has no credential with that name */
export function credentialNamed(name: string): CredentialSecrets {
  const all = credentials();
  const found = all.find((one) => one.name === name);
  if (found) return found;
  const names = all.map((one) => one.name);
  throw new UsageError(
    `Unknown credential "${name}".${suggestionFor(name, names)} The credentials setting contains: ${names.join(', ') || 'none'}.`,
  );
}

export function credentials(): CredentialSecrets[] {
  return JSON.parse(process.env.CREDENTIALS || '[]');
}

/** The input of `credentials put`. Secrets are not arguments, because all users of the machine can read a command's arguments. */
const CredentialInput = documentOf({
  ...CredentialClient.entries,
  refresh_token: v.pipe(v.string('is required'), v.nonEmpty('is required')),
});

function jsonOf(input: string): unknown {
  try {
    return JSON.parse(input);
  } catch {
    throw new UsageError(
      'The input is not JSON. Send an object with "auth_url", "client_id", "client_secret" and "refresh_token".',
    );
  }
}

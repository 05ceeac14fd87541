import { appendFileSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Access, Service } from '../../tools/service.ts';
import { basic } from './client.ts';

/**
 * Appends secrets to the file that `SECRETS_FILE` names, one per line. At its end, the suite searches the logs of the service
 * that it started for these secrets.
 */
export function keepSecrets(...secrets: readonly string[]): void {
  const { SECRETS_FILE } = process.env;
  if (SECRETS_FILE)
    appendFileSync(SECRETS_FILE, secrets.map((secret) => `${secret}\n`).join(''), { mode: 0o600 });
}

export function secretsOf({ username, password, client_id, client_secret, refresh_token }: Access): string[] {
  const pairs = [
    [username, password],
    [client_id, client_secret],
  ] as const;
  const encoded = pairs.flatMap(([name, secret]) =>
    name && secret ? basic(name, secret).slice('Basic '.length) : [],
  );
  return [password, client_secret, refresh_token, ...encoded].filter((secret) => secret !== undefined);
}

/** Returns the files and lines of the service that contain a secret. Does not return the secrets themselves. */
export function leaksOf({ directory, output }: Service): string[] {
  const secrets = linesOf(readFileSync(process.env.SECRETS_FILE ?? '', 'utf8')).filter(Boolean);
  const logs = readdirSync(join(directory, 'logs')).map((name) => join(directory, 'logs', name));
  const texts: [string, string][] = [
    ...logs.map((file): [string, string] => [file, readFileSync(file, 'utf8')]),
    // The first start prints the password, and commands that contain it.
    ['the terminal', output().replace(/^ {2}(password|curl) .*$/gm, '')],
  ];
  return texts.flatMap(([name, text]) =>
    linesOf(text).flatMap((line, i) =>
      secrets.some((secret) => line.includes(secret)) ? [`${name}, line ${i + 1}`] : [],
    ),
  );
}

function linesOf(text: string): string[] {
  return text.split('\n');
}

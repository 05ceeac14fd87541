import { randomInt } from 'node:crypto';
import type { Properties } from '../template/resource.ts';

/** The types of characters, by the setting that leaves one out. */
const types: Record<string, string> = {
  ExcludeLowercase: 'abcdefghijklmnopqrstuvwxyz',
  ExcludeUppercase: 'ABCDEFGHIJKLMNOPQRSTUVWXYZ',
  ExcludeNumbers: '0123456789',
  ExcludePunctuation: '!"#$%&\'()*+,-./:;<=>?@[\\]^_`{|}~',
};

const longest = 4096;

/**
 * A secret's value as the service makes it from a `GenerateSecretString`: a password, alone or as a field of the
 * template's JSON.
 * @throws Error for settings that this machine does not have
 */
export function generateSecretString(settings: Properties): string {
  const { PasswordLength = 32, ExcludeCharacters = '', ...rest } = settings;
  const { GenerateStringKey, SecretStringTemplate, ...exclusions } = rest;
  const unknown = Object.keys(exclusions).find((name) => !(name in types));
  if (unknown !== undefined) throw new Error(`this machine generates no secret with ${unknown}.`);
  if ((GenerateStringKey === undefined) !== (SecretStringTemplate === undefined))
    throw new Error('GenerateStringKey and SecretStringTemplate need each other.');
  const alphabets = Object.entries(types)
    .filter(([name]) => exclusions[name] !== true)
    .map(([, alphabet]) => [...alphabet].filter((character) => !ExcludeCharacters.includes(character)));
  const password = generatePassword(PasswordLength, alphabets);
  if (GenerateStringKey === undefined) return password;
  return JSON.stringify({ ...JSON.parse(SecretStringTemplate), [GenerateStringKey]: password });
}

/** A password with a character of each alphabet, as the service makes them unless it is told otherwise. */
function generatePassword(length: number, alphabets: readonly string[][]): string {
  const each = alphabets.filter((alphabet) => alphabet.length > 0);
  if (each.length === 0 || !(length >= each.length && length <= longest))
    throw new Error(`this machine cannot generate a secret of ${length} of these characters.`);
  const characters = each.flat();
  for (;;) {
    const password = Array.from({ length }, () => characters[randomInt(characters.length)]);
    if (each.every((alphabet) => alphabet.some((character) => password.includes(character))))
      return password.join('');
  }
}

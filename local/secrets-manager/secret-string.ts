import { randomInt } from 'node:crypto';
import type { Properties } from '../template/resource.ts';

/** The character types, by the setting that excludes them. */
const characterTypes: Record<string, string> = {
  ExcludeLowercase: 'abcdefghijklmnopqrstuvwxyz',
  ExcludeUppercase: 'ABCDEFGHIJKLMNOPQRSTUVWXYZ',
  ExcludeNumbers: '0123456789',
  ExcludePunctuation: '!"#$%&\'()*+,-./:;<=>?@[\\]^_`{|}~',
};

const maximumPasswordLength = 4096;

/**
 * Generates the value that the settings of a `GenerateSecretString` describe: a random password or, if the settings have a
 * `SecretStringTemplate`, that template with the password in the field that `GenerateStringKey` names.
 *
 * @throws Error if the emulator does not support a setting
 * @throws Error if only one of `GenerateStringKey` and `SecretStringTemplate` is set
 * @throws Error if `PasswordLength` is more than `maximumPasswordLength`, or less than the number of the remaining
 *   character types
 * @throws Error if the settings exclude all characters
 * @throws SyntaxError if `SecretStringTemplate` is not JSON
 */
export function generateSecretString(settings: Properties): string {
  const { PasswordLength = 32, ExcludeCharacters = '', ...rest } = settings;
  const { GenerateStringKey, SecretStringTemplate, ...exclusions } = rest;
  const unknown = Object.keys(exclusions).find((name) => !(name in characterTypes));
  if (unknown !== undefined)
    throw new Error(`The local cloud does not support the GenerateSecretString setting ${unknown}.`);
  if ((GenerateStringKey === undefined) !== (SecretStringTemplate === undefined))
    throw new Error('GenerateStringKey and SecretStringTemplate must be set together.');
  const alphabets = Object.entries(characterTypes)
    .filter(([name]) => exclusions[name] !== true)
    .map(([, alphabet]) => [...alphabet].filter((character) => !ExcludeCharacters.includes(character)));
  const password = generatePassword(PasswordLength, alphabets);
  if (GenerateStringKey === undefined) return password;
  return JSON.stringify({ ...JSON.parse(SecretStringTemplate), [GenerateStringKey]: password });
}

/** Returns a password with a character of each type that is not excluded, because `RequireEachIncludedType` is the default. */
function generatePassword(length: number, alphabets: readonly string[][]): string {
  const included = alphabets.filter((alphabet) => alphabet.length > 0);
  if (included.length === 0 || !(length >= included.length && length <= maximumPasswordLength))
    throw new Error(
      `The local cloud cannot generate a secret with a PasswordLength of ${length} from these characters.`,
    );
  const characters = included.flat();
  for (;;) {
    const password = Array.from({ length }, () => characters[randomInt(characters.length)]);
    if (included.every((alphabet) => alphabet.some((character) => password.includes(character))))
      return password.join('');
  }
}

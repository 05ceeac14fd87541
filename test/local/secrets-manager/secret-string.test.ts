import { generateSecretString } from '../../../local/secrets-manager/secret-string.ts';

const each = [/[a-z]/, /[A-Z]/, /[0-9]/, /[!-/:-@[-`{-~]/];

test('A password is random and has 32 characters, at least one of each type', () => {
  const passwords = Array.from({ length: 100 }, () => generateSecretString({}));
  expect(new Set(passwords).size).toBe(100);
  for (const password of passwords) {
    expect(password).toMatch(/^[!-~]{32}$/);
    for (const type of each) expect(password).toMatch(type);
  }
});

test.each([
  [{ PasswordLength: 64 }, /^[!-~]{64}$/],
  [{ PasswordLength: 4 }, /^[!-~]{4}$/],
  [{ PasswordLength: 4096 }, /^[!-~]{4096}$/],
  [{ ExcludePunctuation: true }, /^[a-zA-Z0-9]{32}$/],
  [{ ExcludePunctuation: true, ExcludeUppercase: true }, /^[a-z0-9]{32}$/],
  [{ ExcludeLowercase: true, ExcludePunctuation: true, ExcludeNumbers: true }, /^[A-Z]{32}$/],
  [{ ExcludePunctuation: true, ExcludeCharacters: 'abcdef' }, /^[A-Zg-z0-9]{32}$/],
  [{ ExcludePunctuation: false, ExcludeCharacters: '"\\' }, /^[^"\\]{32}$/],
  [
    { ExcludeNumbers: true, ExcludePunctuation: true, ExcludeCharacters: 'abcdefghijklmnopqrstuvwxyzA' },
    /^[B-Z]+$/,
  ],
])('A password by %j', (settings, expected) => {
  expect(generateSecretString(settings)).toMatch(expected);
});

test('A password can be a field of a JSON document', () => {
  const text = generateSecretString({
    SecretStringTemplate: '{"user":"dog"}',
    GenerateStringKey: 'password',
    ExcludePunctuation: true,
  });
  expect(JSON.parse(text)).toEqual({ user: 'dog', password: expect.stringMatching(/^[a-zA-Z0-9]{32}$/) });
});

test.each<[object, string]>([
  [{ IncludeSpace: true }, 'not support the GenerateSecretString setting IncludeSpace'],
  [
    { RequireEachIncludedType: false },
    'not support the GenerateSecretString setting RequireEachIncludedType',
  ],
  [{ GenerateStringKey: 'password' }, 'must be set together'],
  [{ SecretStringTemplate: '{}' }, 'must be set together'],
  [{ SecretStringTemplate: 'dog', GenerateStringKey: 'password' }, 'is not valid JSON'],
  [{ PasswordLength: 3 }, 'cannot generate a secret with a PasswordLength of 3'],
  [{ PasswordLength: 0 }, 'cannot generate a secret with a PasswordLength of 0'],
  [{ PasswordLength: 4097 }, 'cannot generate a secret with a PasswordLength of 4097'],
  [{ PasswordLength: 'long' }, 'cannot generate a secret with a PasswordLength of long'],
  [
    { ExcludeLowercase: true, ExcludeUppercase: true, ExcludeNumbers: true, ExcludePunctuation: true },
    'cannot generate a secret',
  ],
])('throws an error for %j', (settings, message) => {
  expect(() => generateSecretString(settings)).toThrow(message);
});

import { generateSecretString } from '../../../local/secrets-manager/secret-string.ts';

const each = [/[a-z]/, /[A-Z]/, /[0-9]/, /[!-/:-@[-`{-~]/];

test('A password has 32 characters, of each type at least one, and is another each time', () => {
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

test('A password may be a field of a JSON document', () => {
  const text = generateSecretString({
    SecretStringTemplate: '{"user":"dog"}',
    GenerateStringKey: 'password',
    ExcludePunctuation: true,
  });
  expect(JSON.parse(text)).toEqual({ user: 'dog', password: expect.stringMatching(/^[a-zA-Z0-9]{32}$/) });
});

test.each<[object, string]>([
  [{ IncludeSpace: true }, 'no secret with IncludeSpace'],
  [{ RequireEachIncludedType: false }, 'no secret with RequireEachIncludedType'],
  [{ GenerateStringKey: 'password' }, 'need each other'],
  [{ SecretStringTemplate: '{}' }, 'need each other'],
  [{ SecretStringTemplate: 'dog', GenerateStringKey: 'password' }, 'is not valid JSON'],
  [{ PasswordLength: 3 }, 'cannot generate a secret of 3'],
  [{ PasswordLength: 0 }, 'cannot generate a secret of 0'],
  [{ PasswordLength: 4097 }, 'cannot generate a secret of 4097'],
  [{ PasswordLength: 'long' }, 'cannot generate a secret of long'],
  [
    { ExcludeLowercase: true, ExcludeUppercase: true, ExcludeNumbers: true, ExcludePunctuation: true },
    'cannot generate a secret',
  ],
])('No password is made by %j', (settings, message) => {
  expect(() => generateSecretString(settings)).toThrow(message);
});

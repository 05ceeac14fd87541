import {
  type CaseGroup,
  type InvalidDocument,
  invalidDocuments,
  notByFetch,
  type Only,
  type Refusal,
} from './case.ts';

const noString = { '/message': 'must be a string' };
const wrongLength = { '/message': 'must have 1 to 1000 characters' };
const malformed = { '/message': 'must be Unicode text without unpaired surrogates' };

const messages: readonly InvalidDocument[] = [
  ['an empty message', { message: '' }, wrongLength],
  ['a message of 1,001 letters', { message: 'x'.repeat(1_001) }, wrongLength],
  ['a message of 1,001 emoji', { message: '🐶'.repeat(1_001) }, wrongLength],
  ['a message that is a number', { message: 5 }, noString],
  ['a message that is null', { message: null }, noString],
  ['two messages, of which the last is a number', '{"message":"x","message":5}', noString],
  ['a message that is half of a surrogate pair', '{"message":"\\ud800"}', malformed],
  ['a message that is a reversed surrogate pair', '{"message":"\\udc00\\ud800"}', malformed],
];

const invalidKey: Refusal = {
  status: 400,
  problem: 'invalid-idempotency-key',
  detail:
    'The Idempotency-Key header must be a single string of 1 to 255 characters in double quotes, such as "8e03978e-40d5-43e8-bc93-6894a57f9324".',
};

const keys: readonly (readonly [name: string, key: string, only?: Only])[] = [
  ['without a value', ' '],
  ['that is empty', '""'],
  ['without quotes', '8e03978e-40d5-43e8-bc93-6894a57f9324'],
  ['without its last quote', '"x'],
  ['and a second key', '"x", "x"'],
  ['and a parameter', '"x";p=1'],
  ['with a quote', '"x"y"'],
  ['with a letter outside ASCII', '"ä"'],
  ['with a tab', '"\t"'],
  ['with a line break', '"x\ny"', notByFetch],
  ['with NUL', '"\0"', notByFetch],
  ['of 256 characters', `"${'x'.repeat(256)}"`],
  ['of 256 escaped characters', `"${'\\"'.repeat(256)}"`],
];

export const refusedBarks: readonly CaseGroup[] = ['POST {dog}barks', 'POST {dog}bark'].map((request) => ({
  title: request,
  dogs: ['new'],
  cases: [
    ...invalidDocuments(request, messages),
    ...keys.map(([name, key, only]) => ({
      name: `an Idempotency-Key ${name}`,
      request,
      fields: { 'Idempotency-Key': key },
      ...invalidKey,
      ...(only && { only }),
    })),
  ],
}));

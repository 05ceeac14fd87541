import { StartKeys } from '../../../local/dynamodb/start-keys.ts';
import type { AwsCall } from '../../../local/endpoint/emulator.ts';
import { Template } from '../../../local/template/template.ts';

const template = new Template(
  {
    Resources: {
      Barks: {
        Type: 'AWS::DynamoDB::Table',
        Properties: {
          KeySchema: [
            { AttributeName: 'dog', KeyType: 'HASH' },
            { AttributeName: 'sk', KeyType: 'RANGE' },
          ],
        },
      },
    },
  },
  'Stack',
);
const startKeys = new StartKeys(template);

const invalid = 'The provided starting key is invalid';
const mismatch = `${invalid}: The provided key element does not match the schema`;
const outside = 'The provided starting key is outside query boundaries based on provided conditions';
const predicate = 'The provided starting key does not match the range key predicate';
const oneRow = 'The query can return at most one row and cannot be restarted';

function messageOf(operation: string, request: object, service = 'dynamodb'): string | undefined {
  const call: AwsCall = {
    caller: 'ListBarks',
    service,
    method: 'POST',
    path: '/',
    headers: { 'x-amz-target': `DynamoDB_20120810.${operation}` },
    body: Buffer.from(JSON.stringify({ TableName: 'Stack-Barks', ...request })),
  };
  const response = startKeys.errorFor(call);
  if (!response) return undefined;
  expect(response).toMatchObject({ status: 400, headers: { 'x-amzn-ErrorType': 'ValidationException' } });
  return (JSON.parse(String(response.body)) as { message: string }).message;
}

const at = (sk: string, dog = 'rex') => ({ dog: { S: dog }, sk: { S: sk } });
const unsupported = 'The local cloud does not support a start key with';
const ofDog = 'dog = :dog';
const inRange = 'dog = :dog AND sk BETWEEN :from AND :to';
const [partial, other, number] = [
  { dog: { S: 'rex' } },
  { ...at('b'), incarnation: { S: 'x' } },
  { dog: { S: 'rex' }, sk: { N: '1' } },
];

test.each<[fact: string, condition: string, start: object, expected: string | undefined]>([
  ['starts anywhere in its partition', ofDog, at('a'), undefined],
  ['starts at the beginning of its range', inRange, at('b'), undefined],
  ['starts at the end of its range', inRange, at('～'), undefined],
  ['does not start before its range', inRange, at('az'), predicate],
  ['does not start after its range', inRange, at('～a'), predicate],
  ['compares the UTF-8 bytes of texts', inRange, at('🐕'), predicate],
  ['does not start in another partition', ofDog, at('b', 'max'), outside],
  ['does not start there if the sort key matches', inRange, at('c', 'max'), oneRow],
  ['does not start there if the sort key differs', inRange, at('a', 'max'), predicate],
  ['does not start at a key without a sort key', ofDog, partial, invalid],
  ['does not start without a key', ofDog, {}, invalid],
  ['does not start at a key with another attribute', ofDog, other, invalid],
  ['does not start at a key of another type', ofDog, number, mismatch],
  ['does not start with another condition', 'sk > :from', at('c'), `${unsupported} sk > :from.`],
])('A query %s', (_, KeyConditionExpression, ExclusiveStartKey, expected) => {
  const ExpressionAttributeValues = { ':dog': { S: 'rex' }, ':from': { S: 'b' }, ':to': { S: '～' } };
  const request = { KeyConditionExpression, ExpressionAttributeValues, ExclusiveStartKey };
  expect(messageOf('Query', request)).toBe(expected);
});

test.each([
  ['passes at a key', at('b'), undefined],
  ['is refused at a key without a sort key', partial, mismatch],
  ['is refused at a key with another attribute', other, mismatch],
  ['is refused at a key of another type', number, mismatch],
])('A scan %s', (_, ExclusiveStartKey, message) => {
  expect(messageOf('Scan', { ExclusiveStartKey })).toBe(message);
});

test.each([
  ['has no start key', 'Query', { KeyConditionExpression: ofDog }],
  ['is no query', 'GetItem', { ExclusiveStartKey: {} }],
  ['is of a table that does not exist', 'Scan', { TableName: 'cats', ExclusiveStartKey: {} }],
  ['is of another service', 'Scan', { ExclusiveStartKey: {} }, 'ses'],
])('A call that %s passes', (_, operation, request, service = 'dynamodb') => {
  expect(messageOf(operation, request, service)).toBeUndefined();
});

import { StartKeys } from '../../../local/dynamodb/start-keys.ts';
import type { AwsCall } from '../../../local/endpoint/emulator.ts';
import { Template } from '../../../local/template/template.ts';

const key = (HASH: string, RANGE?: string) => [
  { AttributeName: HASH, KeyType: 'HASH' },
  ...(RANGE ? [{ AttributeName: RANGE, KeyType: 'RANGE' }] : []),
];
const template = new Template(
  {
    Resources: {
      Barks: {
        Type: 'AWS::DynamoDB::Table',
        Properties: {
          KeySchema: key('dog', 'sk'),
          AttributeDefinitions: [
            { AttributeName: 'dog', AttributeType: 'S' },
            { AttributeName: 'sk', AttributeType: 'S' },
            { AttributeName: 'owner', AttributeType: 'S' },
            { AttributeName: 'time', AttributeType: 'N' },
          ],
          GlobalSecondaryIndexes: [{ IndexName: 'byOwner', KeySchema: key('owner', 'time') }],
          LocalSecondaryIndexes: [{ IndexName: 'byTime', KeySchema: key('dog', 'time') }],
        },
      },
    },
  } as ConstructorParameters<typeof Template>[0],
  'Stack',
);
const [table] = template.ofType('AWS::DynamoDB::Table');
const TableName = table && template.idOf(table);
const startKeys = new StartKeys(template);

const invalid = 'The provided starting key is invalid';
const mismatch = `${invalid}: The provided key element does not match the schema`;
const outside = 'The provided starting key is outside query boundaries based on provided conditions';
const predicate = 'The provided starting key does not match the range key predicate';
const oneRow = 'The query can return at most one row and cannot be restarted';

function messageOf(operation: string, request: object): string | undefined {
  const call: AwsCall = {
    caller: 'ListBarks',
    service: 'dynamodb',
    method: 'POST',
    path: '/',
    headers: { 'x-amz-target': `DynamoDB_20120810.${operation}` },
    body: Buffer.from(JSON.stringify({ TableName, ...request })),
  };
  const response = startKeys.errorFor(call);
  if (!response) return undefined;
  expect(response).toMatchObject({ status: 400, headers: { 'x-amzn-ErrorType': 'ValidationException' } });
  return (JSON.parse(String(response.body)) as { message: string }).message;
}

const values = {
  ':dog': { S: 'rex' },
  ':b': { S: 'b' },
  ':d': { S: 'd' },
  ':2': { N: '2' },
  ':owner': { S: 'jane' },
};

function query(KeyConditionExpression: string, ExclusiveStartKey: object, more: object = {}) {
  return messageOf('Query', {
    KeyConditionExpression,
    ExpressionAttributeValues: values,
    ExclusiveStartKey,
    ...more,
  });
}

const at = (sk: string, dog = 'rex') => ({ dog: { S: dog }, sk: { S: sk } });

test.each([
  ['dog = :dog', 'a', 'zzz', []],
  ['dog = :dog AND sk = :b', 'b', 'b', ['a', 'c', 'bb']],
  ['dog = :dog AND sk BETWEEN :b AND :d', 'b', 'd', ['a', 'az', 'da', 'z']],
  ['dog = :dog and sk between :b and :d', 'b', 'd', ['a', 'e']],
  ['(dog = :dog) AND (sk BETWEEN :b AND :d)', 'b', 'd', ['a', 'e']],
  ['dog = :dog AND begins_with(sk, :b)', 'b', 'bzz', ['a', 'c', 'ab']],
  ['dog = :dog AND begins_with ( sk , :b )', 'b', 'bzz', ['a', 'c']],
  ['dog = :dog AND sk < :b', 'a', 'az', ['b', 'c']],
  ['dog = :dog AND sk <= :b', 'a', 'b', ['ba', 'c']],
  ['dog = :dog AND sk > :b', 'ba', 'c', ['b', 'a']],
  ['dog = :dog AND sk >= :b', 'b', 'c', ['a', 'az']],
  [':dog = dog AND :b < sk', 'ba', 'c', ['b', 'a']],
  ['sk >= :b AND dog = :dog', 'b', 'c', ['a']],
  ['dog=:dog AND sk>=:b', 'b', 'c', ['a']],
] as const)(
  'A query with the condition "%s" starts after "%s" and "%s", and not after %j',
  (condition, first, last, others) => {
    for (const sk of [first, last]) expect([sk, query(condition, at(sk))]).toEqual([sk, undefined]);
    for (const sk of others) expect([sk, query(condition, at(sk))]).toEqual([sk, predicate]);
  },
);

test('Attribute names can be placeholders', () => {
  const names = { ExpressionAttributeNames: { '#d': 'dog', '#s': 'sk' } };
  expect(query('#d = :dog AND #s > :b', at('c'), names)).toBeUndefined();
  expect(query('#d = :dog AND #s > :b', at('a'), names)).toBe(predicate);
});

test('Strings are compared by their UTF-8 bytes', () => {
  const more = { ExpressionAttributeValues: { ...values, ':b': { S: '\uff5e' } } };
  expect(query('dog = :dog AND sk > :b', at('🐕'), more)).toBeUndefined();
});

describe('A query does not start in another partition', () => {
  test('which is outside the boundaries', () => {
    expect(query('dog = :dog', at('b', 'max'))).toBe(outside);
  });

  test('which has its own message when the sort key matches', () => {
    expect(query('dog = :dog AND sk > :b', at('c', 'max'))).toBe(oneRow);
  });

  test('and the sort key is checked first', () => {
    expect(query('dog = :dog AND sk > :b', at('a', 'max'))).toBe(predicate);
  });
});

describe('A query of an index', () => {
  const ofOwner = { IndexName: 'byOwner' };
  const start = (time: string, owner = 'jane') => ({ ...at('b'), owner: { S: owner }, time: { N: time } });

  test('starts at a key of index and table', () => {
    expect(query('owner = :owner AND time >= :2', start('10'), ofOwner)).toBeUndefined();
    expect(
      query('dog = :dog AND time >= :2', { ...at('b'), time: { N: '10' } }, { IndexName: 'byTime' }),
    ).toBeUndefined();
  });

  test('does not start outside its condition', () => {
    expect(query('owner = :owner AND time >= :2', start('1'), ofOwner)).toBe(predicate);
    expect(query('owner = :owner', start('1', 'john'), ofOwner)).toBe(outside);
  });

  test('does not start at a key that lacks the attributes of the index', () => {
    expect(query('owner = :owner', at('b'), ofOwner)).toBe(invalid);
  });
});

test.each([
  ['has no sort key', { dog: { S: 'rex' } }, invalid],
  ['has no key', {}, invalid],
  ['has another attribute', { ...at('b'), incarnation: { S: 'x' } }, invalid],
  ['has another type', { dog: { S: 'rex' }, sk: { N: '1' } }, mismatch],
])('A query does not start at a key that %s', (_, start, message) => {
  expect(query('dog = :dog', start)).toBe(message);
});

test.each([
  ['is a key', at('b'), undefined],
  ['has no sort key', { dog: { S: 'rex' } }, mismatch],
  ['has another attribute', { ...at('b'), incarnation: { S: 'x' } }, mismatch],
  ['has another type', { dog: { S: 'rex' }, sk: { N: '1' } }, mismatch],
])('A scan is checked if its start key %s', (_, ExclusiveStartKey, message) => {
  expect(messageOf('Scan', { ExclusiveStartKey })).toBe(message);
});

test.each([
  ['has no start key', 'Query', { KeyConditionExpression: 'dog = :dog' }],
  ['is no query', 'GetItem', { Key: at('b') }],
  ['is of a table that does not exist', 'Scan', { TableName: 'cats', ExclusiveStartKey: {} }],
  [
    'has a condition that the embedded database refuses',
    'Query',
    { KeyConditionExpression: 'dog', ExclusiveStartKey: at('b') },
  ],
])('A call that %s passes', (_, operation, request) => {
  expect(messageOf(operation, { ExpressionAttributeValues: values, ...request })).toBeUndefined();
});

test('A call of another service is not refused', () => {
  const call = {
    caller: 'x',
    service: 'ses',
    method: 'POST',
    path: '/',
    headers: {},
    body: Buffer.from('Action=SendEmail'),
  };
  expect(startKeys.errorFor(call)).toBeUndefined();
});

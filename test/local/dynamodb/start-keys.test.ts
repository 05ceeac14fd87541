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

const names = { ExpressionAttributeNames: { '#d': 'dog', '#s': 'sk' } };
const wide = { ExpressionAttributeValues: { ...values, ':b': { S: '\uff5e' } } };
const [byOwner, byTime] = [{ IndexName: 'byOwner' }, { IndexName: 'byTime' }];
const ofOwner = (time: string, owner = 'jane') => ({ ...at('b'), owner: { S: owner }, time: { N: time } });
const ofTime = { ...at('b'), time: { N: '10' } };
const other = { ...at('b'), incarnation: { S: 'x' } };
const [partial, number] = [{ dog: { S: 'rex' } }, { dog: { S: 'rex' }, sk: { N: '1' } }];

test.each<[fact: string, condition: string, start: object, more: object, expected: string | 0]>([
  ['starts with placeholders of names', '#d = :dog AND #s > :b', at('c'), names, 0],
  [
    'does not start outside a condition with placeholders',
    '#d = :dog AND #s > :b',
    at('a'),
    names,
    predicate,
  ],
  ['compares strings by their UTF-8 bytes', 'dog = :dog AND sk > :b', at('🐕'), wide, 0],
  ['does not start in another partition', 'dog = :dog', at('b', 'max'), {}, outside],
  ['does not start there if the sort key matches', 'dog = :dog AND sk > :b', at('c', 'max'), {}, oneRow],
  ['does not start there if the sort key differs', 'dog = :dog AND sk > :b', at('a', 'max'), {}, predicate],
  ['starts at a key of a global index', 'owner = :owner AND time >= :2', ofOwner('10'), byOwner, 0],
  ['starts at a key of a local index', 'dog = :dog AND time >= :2', ofTime, byTime, 0],
  ['does not start at another time', 'owner = :owner AND time >= :2', ofOwner('1'), byOwner, predicate],
  ['does not start at another owner', 'owner = :owner', ofOwner('1', 'john'), byOwner, outside],
  [
    'does not start at a key without the attributes of the index',
    'owner = :owner',
    at('b'),
    byOwner,
    invalid,
  ],
  ['does not start at a key without a sort key', 'dog = :dog', partial, {}, invalid],
  ['does not start without a key', 'dog = :dog', {}, {}, invalid],
  ['does not start at a key with another attribute', 'dog = :dog', other, {}, invalid],
  ['does not start at a key of another type', 'dog = :dog', number, {}, mismatch],
])('A query %s', (_, condition, start, more, expected) => {
  expect(query(condition, start, more) ?? 0).toBe(expected);
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
  const call = { caller: 'x', service: 'ses', method: 'POST', path: '/', headers: {} };
  expect(startKeys.errorFor({ ...call, body: Buffer.from('Action=SendEmail') })).toBeUndefined();
});

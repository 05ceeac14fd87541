import { subscribe } from 'node:diagnostics_channel';
import type { AwsCall } from '../../endpoint/emulator.ts';
import { type AuthorizationDecision, Authorizer } from '../../iam/authorization.ts';
import { account, arn } from '../../template/arns.ts';
import { Template } from '../../template/template.ts';

const logged = jest.spyOn(console, 'log').mockImplementation(() => {});

const decisions: AuthorizationDecision[] = [];
subscribe('local-cloud:authorization', (decision) => decisions.push(decision as AuthorizationDecision));
beforeEach(() => decisions.splice(0));

const statement = { Effect: 'Allow', Action: 'dynamodb:GetItem', Resource: arn('dynamodb', 'table/dogs') };

function authorizerFor(...statements: object[]): Authorizer {
  const Resources = {
    Bark: { Type: 'AWS::Lambda::Function', Properties: { Role: { 'Fn::GetAtt': ['Role', 'Arn'] } } },
    Role: { Type: 'AWS::IAM::Role' },
    Policy: {
      Type: 'AWS::IAM::Policy',
      Properties: { Roles: [{ Ref: 'Role' }], PolicyDocument: { Statement: statements } },
    },
    Other: {
      Type: 'AWS::IAM::Policy',
      Properties: {
        Roles: ['another'],
        PolicyDocument: { Statement: [{ ...statement, Action: 'dynamodb:PutItem' }] },
      },
    },
  };
  return new Authorizer(new Template({ Resources }, 'Stack'));
}

function callOf(service: string, text: string, headers: Record<string, string> = {}): AwsCall {
  return { caller: 'Bark', service, method: 'POST', path: '/', headers, body: Buffer.from(text) };
}
const json = (service: string, target: string, request: object) =>
  callOf(service, JSON.stringify(request), { 'x-amz-target': target });
const dynamodb = (operation: string, request: object) =>
  json('dynamodb', `DynamoDB_20120810.${operation}`, request);
function mail(from: string): AwsCall {
  const message = Buffer.from(`Subject: Woof\r\nFrom: ${from}\r\n\r\nFrom: cats@example.com\r\n`);
  const parameters = { Action: 'SendRawEmail', 'RawMessage.Data': message.toString('base64') };
  return callOf('ses', String(new URLSearchParams(parameters)));
}

const getItem = dynamodb('GetItem', { TableName: 'dogs' });
const ofOperator = { ...getItem, caller: 'operator' };

test.each<[what: string, call: AwsCall, statements: object[], status?: number]>([
  ['allows a call that a statement allows', getItem, [statement], 0],
  ['refuses another resource', dynamodb('GetItem', { TableName: 'barks' }), [statement], 400],
  ['refuses another action', dynamodb('PutItem', { TableName: 'dogs' }), [statement], 400],
  ['denies the operator everything without a managed policy', ofOperator, [statement], 400],
  ['allows the administrator everything', { ...getItem, caller: 'administrator' }, [], 0],
])('%s', (_, call, statements, status) => {
  expect(authorizerFor(...statements).errorFor(call)?.status ?? 0).toBe(status);
  if (call.caller === 'administrator') expect(decisions).toEqual([]);
});

test('responds to a denied call as AWS does, and logs the missing permission', () => {
  const { body, headers } = authorizerFor().errorFor(getItem) ?? {};
  expect(headers).toMatchObject({ 'x-amzn-ErrorType': 'AccessDeniedException' });
  expect(JSON.parse(String(body))).toEqual({
    __type: 'AccessDeniedException',
    message: `User: arn:aws:sts::${account}:assumed-role/Stack-Role/Bark is not authorized to perform: dynamodb:GetItem on resource: ${arn('dynamodb', 'table/dogs')} because no identity-based policy allows the dynamodb:GetItem action`,
  });
  expect(logged).toHaveBeenLastCalledWith(
    expect.stringMatching(
      /^Bark has no permission for dynamodb:GetItem on arn:.*table\/dogs\. The policies in the template do not allow it\./,
    ),
  );
});

test('reports the permissions that a call requires, with the resources that allow them', () => {
  const dogs = arn('dynamodb', 'table/dogs');
  authorizerFor(statement, { ...statement, Resource: ['*', arn('dynamodb', 'table/cats')] }).errorFor(
    getItem,
  );
  expect(decisions).toEqual([
    { caller: 'Bark', action: 'dynamodb:GetItem', resource: dogs, context: {}, allowedBy: [dogs, '*'] },
  ]);
});

test('reports all permissions that a denied call requires', () => {
  const TransactItems = [{ Put: { TableName: 'dogs' } }, { Update: { TableName: 'dogs' } }];
  const authorizer = authorizerFor({ ...statement, Action: ['dynamodb:GetItem', 'dynamodb:UpdateItem'] });
  authorizer.errorFor(dynamodb('TransactWriteItems', { TransactItems }));
  expect(decisions).toMatchObject([
    { action: 'dynamodb:PutItem', allowedBy: [] },
    { action: 'dynamodb:UpdateItem', allowedBy: [statement.Resource] },
  ]);
});

test('throws an error for a call to an unknown service', () => {
  expect(() => authorizerFor(statement).errorFor({ ...getItem, service: 's3' })).toThrow('does not know');
});

// The tests in test/start need each permission of the functions and of the operator. These are calls that they do not make.
// https://docs.aws.amazon.com/service-authorization/latest/reference/reference_policies_actions-resources-contextkeys.html
test.each<[string, AwsCall, action: string, resources: string[], condition?: object]>([
  [
    'a read of several tables',
    dynamodb('BatchGetItem', { RequestItems: { dogs: { Keys: [] }, barks: { Keys: [] } } }),
    'dynamodb:BatchGetItem',
    ['dogs', 'barks'].map((table) => arn('dynamodb', `table/${table}`)),
  ],
  [
    'the stop of an execution',
    json('states', 'AWSStepFunctions.StopExecution', { executionArn: arn('states', 'execution:m:1') }),
    'states:StopExecution',
    [arn('states', 'execution:m:*')],
  ],
  [
    'a mail whose sender has a name',
    mail('The dogs <dogs@example.com>'),
    'ses:SendRawEmail',
    [arn('ses', 'identity/dogs@example.com')],
    { 'ses:FromAddress': 'dogs@example.com' },
  ],
])('allows %s with all of its statements, and refuses it if one of them is missing', (...row) => {
  const [, call, Action, resources, StringEquals = {}] = row;
  const whole = resources.map((Resource) => ({
    ...statement,
    Action,
    Resource,
    Condition: { StringEquals },
  }));
  expect(authorizerFor(...whole).errorFor(call)).toBeUndefined();
  for (const one of whole) {
    const refusal = authorizerFor(...whole.filter((other) => other !== one)).errorFor(call);
    expect(String(refusal?.body)).toContain(Action);
  }
});

test.each([
  ['another sender', { 'ses:FromAddress': 'cats@example.com' }],
  ['a key that the call does not have', { 'ses:FeedbackAddress': 'dogs@example.com' }],
  ['a key that SES is not documented to supply', { 'aws:ResourceAccount': account }],
])('a condition excludes %s from its statement', (_, StringEquals) => {
  const ses = { Effect: 'Allow', Action: 'ses:SendRawEmail', Resource: '*', Condition: { StringEquals } };
  const denial = authorizerFor(ses).errorFor(mail('dogs@example.com'));
  expect(denial).toMatchObject({ status: 403, headers: { 'Content-Type': 'text/xml' } });
  expect(denial?.body).toContain('<Code>AccessDenied</Code>');
});

test.each<[what: string, changes: object]>([
  ['IpAddress', { Condition: { IpAddress: {} } }],
  ['StringLike', { Condition: { StringLike: { 'ses:FromAddress': '*' } } }],
  ['NotAction', { NotAction: 'x' }],
  ['the Effect Deny', { Effect: 'Deny' }],
  ['the Action dynamodb:*', { Action: 'dynamodb:*' }],
  ['a missing Action or Resource', { Resource: undefined }],
])('throws an error for a statement with %s', (what, changes) => {
  const message = `Policy: the local cloud does not support ${what} in a statement.`;
  expect(() => authorizerFor({ ...statement, ...changes })).toThrow(message);
});

import { jest } from '@jest/globals';
import type { AwsCall } from '../../../local/endpoint/endpoint.ts';
import { Permissions } from '../../../local/iam/authorization.ts';
import type { JudgedNeed } from '../../../local/iam/decision-log.ts';
import { readAssembly } from '../../../local/template/synthesize.ts';
import { account, arn, Template } from '../../../local/template/template.ts';
import { synthesized } from '../../support/prepare.ts';

const logged = jest.spyOn(console, 'log').mockImplementation(() => {});

const noted: JudgedNeed[] = [];
beforeEach(() => noted.splice(0));

const statement = { Effect: 'Allow', Action: 'dynamodb:GetItem', Resource: arn('dynamodb', 'table/dogs') };

function permissionsOf(...statements: object[]): Permissions {
  const Resources = {
    Bark: { Type: 'AWS::Lambda::Function', Properties: { Role: { 'Fn::GetAtt': ['Role', 'Arn'] } } },
    Role: { Type: 'AWS::IAM::Role' },
    Policy: {
      Type: 'AWS::IAM::Policy',
      Properties: { Roles: [{ Ref: 'Role' }], PolicyDocument: { Statement: statements } },
    },
    Other: {
      Type: 'AWS::IAM::Policy',
      Properties: { Roles: ['another'], PolicyDocument: { Statement: [{ ...statement, Action: '*' }] } },
    },
  };
  return new Permissions(new Template({ Resources }, 'Stack'), (judged) => noted.push(judged));
}

function json(service: string, target: string, request: object, caller = 'Bark'): AwsCall {
  const body = Buffer.from(JSON.stringify(request));
  return { caller, service, method: 'POST', path: '/', headers: { 'x-amz-target': target }, body };
}

const getItem = json('dynamodb', 'DynamoDB_20120810.GetItem', { TableName: 'dogs' });

function schedule(method: string, path: string, request?: object): AwsCall {
  const body = Buffer.from(request ? JSON.stringify(request) : '');
  return { caller: 'Bark', service: 'scheduler', method, path, headers: {}, body };
}

function mail(source: string, more: Record<string, string> = {}): AwsCall {
  const body = Buffer.from(new URLSearchParams({ Action: 'SendEmail', Source: source, ...more }).toString());
  return { caller: 'Bark', service: 'ses', method: 'POST', path: '/', headers: {}, body };
}

test('A call passes that a statement allows, and no other', () => {
  const permissions = permissionsOf(statement);
  expect(permissions.refusalOf(getItem)).toBeUndefined();
  for (const [target, table] of [
    ['GetItem', 'barks'],
    ['PutItem', 'dogs'],
  ]) {
    const call = json('dynamodb', `DynamoDB_20120810.${target}`, { TableName: table });
    expect(permissions.refusalOf(call)?.status).toBe(400);
  }
});

test('A refusal is what AWS says, and tells the terminal which statement is missing', () => {
  const { body, headers } = permissionsOf().refusalOf(getItem) ?? {};
  expect(headers).toMatchObject({ 'x-amzn-ErrorType': 'AccessDeniedException' });
  expect(JSON.parse(String(body))).toEqual({
    __type: 'AccessDeniedException',
    message: `User: arn:aws:sts::${account}:assumed-role/Stack-Role/Bark is not authorized to perform: dynamodb:GetItem on resource: ${arn('dynamodb', 'table/dogs')} because no identity-based policy allows the dynamodb:GetItem action`,
  });
  expect(logged).toHaveBeenLastCalledWith(
    expect.stringMatching(
      /^Bark may not dynamodb:GetItem on arn:.*table\/dogs: the template has no statement/,
    ),
  );
});

test('The administrator may call everything', () => {
  expect(permissionsOf().refusalOf({ ...getItem, caller: 'administrator' })).toBeUndefined();
  expect(noted).toEqual([]);
});

describe('The operator', () => {
  /** Returns the refusal of a call by the operator, whose policy has one statement. */
  const refusalFor = (call: AwsCall, Statement: object) => {
    const Policy = {
      Type: 'AWS::IAM::ManagedPolicy',
      Properties: { PolicyDocument: { Statement: [Statement] } },
    };
    const template = new Template({ Resources: { Policy } }, 'Stack');
    return new Permissions(template).refusalOf({ ...call, caller: 'operator' });
  };

  test('may do what the managed policy allows', () => {
    expect(refusalFor(getItem, statement)).toBeUndefined();
    expect(refusalFor(getItem, { ...statement, Action: 'dynamodb:PutItem' })?.status).toBe(400);
  });

  test('may do nothing without a managed policy', () => {
    expect(permissionsOf(statement).refusalOf({ ...getItem, caller: 'operator' })?.status).toBe(400);
  });

  const streamArn = arn('dynamodb', 'table/dogs/stream/1795310853.7');
  const iterator = Buffer.from(JSON.stringify({ table_name: 'dogs' })).toString('base64');
  const query = new URLSearchParams({ Action: 'DescribeStacks', StackName: 'Stack' });
  const lambda = (name: string): AwsCall => ({
    ...json('lambda', '', {}),
    path: `/2015-03-31/functions/${encodeURIComponent(name)}/invocations`,
  });
  const streams = 'DynamoDBStreams_20120810';

  test.each<[string, string, AwsCall]>([
    [
      'dynamodb:GetShardIterator',
      arn('dynamodb', 'table/dogs/stream/1'),
      json('dynamodb', `${streams}.GetShardIterator`, { StreamArn: streamArn }),
    ],
    [
      'dynamodb:GetRecords',
      arn('dynamodb', 'table/dogs/stream/1'),
      json('dynamodb', `${streams}.GetRecords`, { ShardIterator: iterator }),
    ],
    [
      'sqs:ReceiveMessage',
      arn('sqs', 'Failed'),
      json('sqs', 'AmazonSQS.ReceiveMessage', { QueueUrl: 'https://sqs.example/0/Failed' }),
    ],
    ['lambda:InvokeFunction', arn('lambda', 'function:Bark'), lambda('Bark')],
    ['lambda:InvokeFunction', arn('lambda', 'function:Bark:live'), lambda('Bark:live')],
    [
      'lambda:InvokeFunction',
      arn('lambda', 'function:Bark:live'),
      lambda(arn('lambda', 'function:Bark:live')),
    ],
    [
      'cloudformation:DescribeStacks',
      arn('cloudformation', 'stack/Stack/1'),
      { ...json('cloudformation', '', {}), body: Buffer.from(query.toString()) },
    ],
  ])('needs %s on %s', (Action, Resource, call) => {
    expect(refusalFor(call, { Effect: 'Allow', Action, Resource })).toBeUndefined();
    const refused = refusalFor(call, { Effect: 'Allow', Action, Resource: `${Resource}x` });
    expect(refused?.body).toContain(Action);
  });
});

test('What a call needs is noted, with what allows it', () => {
  const dogs = arn('dynamodb', 'table/dogs');
  permissionsOf(statement, { ...statement, Resource: ['*', arn('dynamodb', 'table/cats')] }).refusalOf(
    getItem,
  );
  expect(noted).toEqual([
    { caller: 'Bark', action: 'dynamodb:GetItem', resource: dogs, context: {}, allowedBy: [dogs, '*'] },
  ]);
});

test('Of a call that is refused all that it needs is noted', () => {
  const TransactItems = [{ Put: { TableName: 'dogs' } }, { Update: { TableName: 'dogs' } }];
  const call = json('dynamodb', 'DynamoDB_20120810.TransactWriteItems', { TransactItems });
  permissionsOf(
    { ...statement, Action: 'dynamodb:*' },
    { ...statement, Effect: 'Deny', Action: 'dynamodb:PutItem' },
  ).refusalOf(call);
  expect(noted).toMatchObject([
    { action: 'dynamodb:PutItem', allowedBy: [] },
    { action: 'dynamodb:UpdateItem', allowedBy: [statement.Resource] },
  ]);
});

test('A call of a service that is not known here does not pass unchecked', () => {
  expect(() => permissionsOf(statement).refusalOf({ ...getItem, service: 's3' })).toThrow('It is not known');
});

test('A transaction needs the permission of each of its actions', () => {
  const TransactItems = [
    { Put: { TableName: 'barks' } },
    { Update: { TableName: 'dogs' } },
    { Delete: { TableName: 'barks' } },
    { ConditionCheck: { TableName: 'dogs' } },
  ];
  const call = json('dynamodb', 'DynamoDB_20120810.TransactWriteItems', { TransactItems });
  const needed = [
    ['dynamodb:PutItem', 'table/barks'],
    ['dynamodb:UpdateItem', 'table/dogs'],
    ['dynamodb:DeleteItem', 'table/barks'],
    ['dynamodb:ConditionCheckItem', 'table/dogs'],
  ].map(([Action, table = '']) => ({ ...statement, Action, Resource: arn('dynamodb', table) }));
  expect(permissionsOf(...needed).refusalOf(call)).toBeUndefined();
  for (const one of needed)
    expect(permissionsOf(...needed.filter((other) => other !== one)).refusalOf(call)?.body).toContain(
      one.Action,
    );
});

test.each<[string, AwsCall, object[]]>([
  [
    'a workflow that is started',
    json('states', 'AWSStepFunctions.StartExecution', { stateMachineArn: arn('states', 'stateMachine:m') }),
    [{ Action: 'states:StartExecution', Resource: arn('states', 'stateMachine:m') }],
  ],
  [
    'an execution that is stopped',
    json('states', 'AWSStepFunctions.StopExecution', { executionArn: arn('states', 'execution:m:1') }),
    [{ Action: 'states:StopExecution', Resource: arn('states', 'execution:m:*') }],
  ],
  [
    'a secret that is read',
    json('secretsmanager', 'secretsmanager.GetSecretValue', { SecretId: arn('secretsmanager', 'secret:s') }),
    [{ Action: 'secretsmanager:GetSecretValue', Resource: arn('secretsmanager', 'secret:s') }],
  ],
  [
    'a schedule that is made, and the role that is handed on with it',
    schedule('POST', '/schedules/rex.1', { GroupName: 'dogs', Target: { RoleArn: 'arn:aws:iam::0:role/r' } }),
    [
      { Action: 'scheduler:CreateSchedule', Resource: arn('scheduler', 'schedule/dogs/*') },
      {
        Action: 'iam:PassRole',
        Resource: 'arn:aws:iam::0:role/r',
        Condition: { StringEquals: { 'iam:PassedToService': 'scheduler.amazonaws.com' } },
      },
    ],
  ],
  [
    'a schedule that is deleted',
    schedule('DELETE', '/schedules/rex.1?groupName=dogs'),
    [{ Action: 'scheduler:DeleteSchedule', Resource: arn('scheduler', 'schedule/dogs/*') }],
  ],
  [
    'a mail',
    mail('dogs@example.com'),
    [
      {
        Action: 'ses:SendEmail',
        Resource: arn('ses', 'identity/*'),
        Condition: { StringEquals: { 'ses:FromAddress': 'dogs@example.com' } },
      },
    ],
  ],
  [
    'a mail with a configuration set',
    mail('dogs@example.com', { ConfigurationSetName: 'Set' }),
    ['identity/*', 'configuration-set/Set'].map((resource) => ({
      Action: 'ses:SendEmail',
      Resource: arn('ses', resource),
    })),
  ],
])('%s passes with its statements, and with none of them missing', (_, call, statements) => {
  const whole = statements.map((one) => ({ Effect: 'Allow', ...one }));
  expect(permissionsOf(...whole).refusalOf(call)).toBeUndefined();
  for (const one of whole)
    expect(permissionsOf(...whole.filter((other) => other !== one)).refusalOf(call)).toBeDefined();
});

test.each([
  ['another sender', { 'ses:FromAddress': 'cats@example.com' }],
  ['a key that the call does not have', { 'ses:FeedbackAddress': 'dogs@example.com' }],
  ['a key that SES is not known to supply', { 'aws:ResourceAccount': account }],
])('A condition holds a statement in: %s', (_, StringEquals) => {
  const ses = { Effect: 'Allow', Action: 'ses:SendEmail', Resource: '*', Condition: { StringEquals } };
  const refusal = permissionsOf(ses).refusalOf(mail('dogs@example.com'));
  expect(refusal).toMatchObject({ status: 403, headers: { 'Content-Type': 'text/xml' } });
  expect(refusal?.body).toContain('<Code>AccessDenied</Code>');
});

test('What is denied is denied, whatever else is allowed', () => {
  const permissions = permissionsOf(statement, { ...statement, Effect: 'Deny', Action: 'dynamodb:Get*' });
  expect(permissions.refusalOf(getItem)).toBeDefined();
});

test.each([
  [{ ...statement, Condition: { IpAddress: {} } }, 'Policy: this machine does not judge by IpAddress.'],
  [{ Effect: 'Allow', NotAction: 'x', Resource: '*' }, 'Policy: this machine does not judge by NotAction.'],
  [{ Effect: 'Allow', Action: 'x' }, 'Policy: this machine does not judge by half a statement.'],
])('A statement that cannot be judged is refused when it is loaded: %j', (unknown, why) => {
  expect(() => permissionsOf(unknown)).toThrow(why);
});

test("The template's own functions have the permissions that their names promise", () => {
  const { template } = readAssembly(synthesized);
  const permissions = new Permissions(template);
  const { DogsTable, BarksTable } = template.outputs;
  const reads = (caller: string, TableName: string | undefined) =>
    permissions.refusalOf(json('dynamodb', 'DynamoDB_20120810.GetItem', { TableName }, caller)) === undefined;
  expect(['GetDog', 'ListDogs', 'Authorizer'].map((caller) => reads(caller, DogsTable))).toEqual([
    true,
    false,
    false,
  ]);
  expect(['GetDog', 'GetBark'].map((caller) => reads(caller, BarksTable))).toEqual([false, true]);
});

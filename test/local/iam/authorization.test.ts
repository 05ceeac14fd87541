import type { AwsCall } from '../../../local/endpoint/emulator.ts';
import { Authorizer } from '../../../local/iam/authorization.ts';
import type { AuthorizationDecision } from '../../../local/iam/decision-log.ts';
import { account, arn } from '../../../local/template/arns.ts';
import { readAssembly } from '../../../local/template/synthesize.ts';
import { Template } from '../../../local/template/template.ts';
import { synthesized } from '../../support/prepare.ts';

const logged = jest.spyOn(console, 'log').mockImplementation(() => {});

const decisions: AuthorizationDecision[] = [];
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
      Properties: { Roles: ['another'], PolicyDocument: { Statement: [{ ...statement, Action: '*' }] } },
    },
  };
  return new Authorizer(new Template({ Resources }, 'Stack'), (decision) => decisions.push(decision));
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

function rawMail(from: string): AwsCall {
  const message = Buffer.from(`Subject: Woof\r\nFrom: ${from}\r\n\r\nFrom: cats@example.com\r\n`);
  const parameters = { Action: 'SendRawEmail', 'RawMessage.Data': message.toString('base64') };
  const body = Buffer.from(new URLSearchParams(parameters).toString());
  return { caller: 'Bark', service: 'ses', method: 'POST', path: '/', headers: {}, body };
}

function suppression(method: string, path: string): AwsCall {
  const body = Buffer.from('');
  return { caller: 'Bark', service: 'sesv2', method, path, headers: {}, body };
}

function mail(source: string, more: Record<string, string> = {}): AwsCall {
  const body = Buffer.from(new URLSearchParams({ Action: 'SendEmail', Source: source, ...more }).toString());
  return { caller: 'Bark', service: 'ses', method: 'POST', path: '/', headers: {}, body };
}

test('allows only the calls that a statement allows', () => {
  const authorizer = authorizerFor(statement);
  expect(authorizer.errorFor(getItem)).toBeUndefined();
  for (const [target, table] of [
    ['GetItem', 'barks'],
    ['PutItem', 'dogs'],
  ]) {
    const call = json('dynamodb', `DynamoDB_20120810.${target}`, { TableName: table });
    expect(authorizer.errorFor(call)?.status).toBe(400);
  }
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

test('allows the administrator everything', () => {
  expect(authorizerFor().errorFor({ ...getItem, caller: 'administrator' })).toBeUndefined();
  expect(decisions).toEqual([]);
});

describe('The operator', () => {
  /** Returns the response to a denied call by the operator, whose policy has only the given statement. */
  const refusalFor = (call: AwsCall, Statement: object) => {
    const Policy = {
      Type: 'AWS::IAM::ManagedPolicy',
      Properties: { PolicyDocument: { Statement: [Statement] } },
    };
    const template = new Template({ Resources: { Policy } }, 'Stack');
    return new Authorizer(template).errorFor({ ...call, caller: 'operator' });
  };

  test('has the permissions of the managed policy', () => {
    expect(refusalFor(getItem, statement)).toBeUndefined();
    expect(refusalFor(getItem, { ...statement, Action: 'dynamodb:PutItem' })?.status).toBe(400);
  });

  test('has no permissions without a managed policy', () => {
    expect(authorizerFor(statement).errorFor({ ...getItem, caller: 'operator' })?.status).toBe(400);
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
  const call = json('dynamodb', 'DynamoDB_20120810.TransactWriteItems', { TransactItems });
  authorizerFor(
    { ...statement, Action: 'dynamodb:*' },
    { ...statement, Effect: 'Deny', Action: 'dynamodb:PutItem' },
  ).errorFor(call);
  expect(decisions).toMatchObject([
    { action: 'dynamodb:PutItem', allowedBy: [] },
    { action: 'dynamodb:UpdateItem', allowedBy: [statement.Resource] },
  ]);
});

test('throws an error for a call to an unknown service', () => {
  expect(() => authorizerFor(statement).errorFor({ ...getItem, service: 's3' })).toThrow('does not know');
});

const onTable = (action: string, table: string) => ({
  Action: `dynamodb:${action}`,
  Resource: arn('dynamodb', `table/${table}`),
});

interface Permission {
  readonly Action: string;
  readonly Resource: string;
  readonly Condition?: object;
}

/* https://docs.aws.amazon.com/service-authorization/latest/reference/reference_policies_actions-resources-contextkeys.html */
test.each<[string, AwsCall, Permission[]]>([
  [
    'a read of several tables',
    json('dynamodb', 'DynamoDB_20120810.BatchGetItem', {
      RequestItems: { dogs: { Keys: [] }, barks: { Keys: [] } },
    }),
    [onTable('BatchGetItem', 'dogs'), onTable('BatchGetItem', 'barks')],
  ],
  [
    'a transaction',
    json('dynamodb', 'DynamoDB_20120810.TransactWriteItems', {
      TransactItems: [
        { Put: { TableName: 'barks' } },
        { Update: { TableName: 'dogs' } },
        { Delete: { TableName: 'barks' } },
        { ConditionCheck: { TableName: 'dogs' } },
      ],
    }),
    [
      onTable('PutItem', 'barks'),
      onTable('UpdateItem', 'dogs'),
      onTable('DeleteItem', 'barks'),
      onTable('ConditionCheckItem', 'dogs'),
    ],
  ],
  [
    'the start of a workflow',
    json('states', 'AWSStepFunctions.StartExecution', { stateMachineArn: arn('states', 'stateMachine:m') }),
    [{ Action: 'states:StartExecution', Resource: arn('states', 'stateMachine:m') }],
  ],
  [
    'the stop of an execution',
    json('states', 'AWSStepFunctions.StopExecution', { executionArn: arn('states', 'execution:m:1') }),
    [{ Action: 'states:StopExecution', Resource: arn('states', 'execution:m:*') }],
  ],
  [
    'the read of a secret',
    json('secretsmanager', 'secretsmanager.GetSecretValue', { SecretId: arn('secretsmanager', 'secret:s') }),
    [{ Action: 'secretsmanager:GetSecretValue', Resource: arn('secretsmanager', 'secret:s') }],
  ],
  [
    'the creation of a schedule with a role',
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
    'the deletion of a schedule',
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
  ...['dogs@example.com', 'The dogs <dogs@example.com>'].map((from): [string, AwsCall, Permission[]] => [
    `a raw message from ${from}`,
    rawMail(from),
    [
      {
        Action: 'ses:SendRawEmail',
        Resource: arn('ses', 'identity/dogs@example.com'),
        Condition: { StringEquals: { 'ses:FromAddress': 'dogs@example.com' } },
      },
    ],
  ]),
  ...(
    [
      ['ListSuppressedDestinations', 'GET', '?PageSize=7'],
      ['ListSuppressedDestinations', 'GET', ''],
      ['GetSuppressedDestination', 'GET', '/rex%40example.com'],
      ['DeleteSuppressedDestination', 'DELETE', '/rex%40example.com'],
      ['PutSuppressedDestination', 'PUT', ''],
    ] as const
  ).map(([action, method, path]): [string, AwsCall, Permission[]] => [
    `${action} (${path})`,
    suppression(method, `/v2/email/suppression/addresses${path}`),
    [{ Action: `ses:${action}`, Resource: '*' }],
  ]),
])(
  'allows %s with all of its statements, and refuses it if one of them is missing',
  (_, call, statements) => {
    const whole = statements.map((one) => ({ Effect: 'Allow', ...one }));
    expect(authorizerFor(...whole).errorFor(call)).toBeUndefined();
    for (const one of whole) {
      const refusal = authorizerFor(...whole.filter((other) => other !== one)).errorFor(call);
      expect(String(refusal?.body)).toContain(one.Action);
    }
  },
);

test.each([
  ['another sender', { 'ses:FromAddress': 'cats@example.com' }],
  ['a key that the call does not have', { 'ses:FeedbackAddress': 'dogs@example.com' }],
  ['a key that SES is not documented to supply', { 'aws:ResourceAccount': account }],
])('a condition excludes %s from its statement', (_, StringEquals) => {
  const ses = { Effect: 'Allow', Action: 'ses:SendEmail', Resource: '*', Condition: { StringEquals } };
  const denial = authorizerFor(ses).errorFor(mail('dogs@example.com'));
  expect(denial).toMatchObject({ status: 403, headers: { 'Content-Type': 'text/xml' } });
  expect(denial?.body).toContain('<Code>AccessDenied</Code>');
});

test('denies a call that one statement denies and another statement allows', () => {
  const authorizer = authorizerFor(statement, { ...statement, Effect: 'Deny', Action: 'dynamodb:Get*' });
  expect(authorizer.errorFor(getItem)).toBeDefined();
});

test.each([
  [
    { ...statement, Condition: { IpAddress: {} } },
    'Policy: the local cloud does not support the condition IpAddress.',
  ],
  [
    { Effect: 'Allow', NotAction: 'x', Resource: '*' },
    'Policy: the local cloud does not support NotAction in a statement.',
  ],
  [{ Effect: 'Allow', Action: 'x' }, 'Policy: a statement needs an Action and a Resource.'],
])('throws an error for a statement that it cannot evaluate: %j', (unknown, why) => {
  expect(() => authorizerFor(unknown)).toThrow(why);
});

test('authorizes calls according to the roles in the synthesized template', () => {
  const { template } = readAssembly(synthesized);
  const authorizer = new Authorizer(template);
  const { DogsTable, BarksTable } = template.outputs;
  const reads = (caller: string, TableName: string | undefined) =>
    authorizer.errorFor(json('dynamodb', 'DynamoDB_20120810.GetItem', { TableName }, caller)) === undefined;
  expect(['GetDog', 'ListDogs', 'Authorizer'].map((caller) => reads(caller, DogsTable))).toEqual([
    true,
    false,
    false,
  ]);
  expect(['GetDog', 'BarkOnSchedule'].map((caller) => reads(caller, BarksTable))).toEqual([false, true]);
});

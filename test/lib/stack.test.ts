import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Annotations, Match } from 'aws-cdk-lib/assertions';
import { pages } from '../../bin/pages.ts';
import { routes } from '../../lambdas/contract/routes.ts';
import { type Dog, effects, maxAddressLength } from '../../lambdas/domain/dogs/dog.ts';
import { dogDocument } from '../../lambdas/http/representations.ts';
import { defaultSettings, exampleSender } from '../../lib/settings.ts';
import { otherSettings } from '../support/other-settings.ts';
import { type SynthesizedStack, synthesizeWith, type TemplateResource } from '../support/stack-template.ts';

const stack = synthesizeWith();
const other = synthesizeWith(otherSettings);

const jobs = [
  'Fallback',
  'Authorizer',
  'BarkOnSchedule',
  'FailBark',
  'PurgeDog',
  'RefreshCredentials',
  'PerformBark',
];
const functionNames = [...routes.map(({ name }) => name), ...jobs];
const timeouts: Record<string, number> = { PurgeDog: 300, RefreshCredentials: 30, PerformBark: 30 };

describe('the REST API', () => {
  test('is regional, and is named after the stage', () => {
    expect(stack.only('AWS::ApiGateway::RestApi').properties).toMatchObject({
      EndpointConfiguration: { Types: ['REGIONAL'] },
      Name: 'dogs-prod',
    });
  });

  test('accepts only TLS 1.2 and 1.3 with forward secrecy, and only its own host name', () => {
    const strict = {
      SecurityPolicy: 'SecurityPolicy_TLS13_1_2_PFS_PQ_2025_09',
      EndpointAccessMode: 'STRICT',
    };
    expect(stack.only('AWS::ApiGateway::RestApi').properties).toMatchObject(strict);
    expect(other.only('AWS::ApiGateway::RestApi').properties).toMatchObject(strict);
    expect(other.only('AWS::ApiGateway::DomainName').properties).toMatchObject(strict);
  });

  test('compresses the public documents, but no representation with a strong ETag', () => {
    const { MinimumCompressionSize } = stack.only('AWS::ApiGateway::RestApi').properties;
    for (const files of pages().values())
      for (const text of Object.values(files)) expect(text.length).toBeGreaterThan(MinimumCompressionSize);
    const settings = {
      email: 'x'.repeat(maxAddressLength),
      owner: 'x'.repeat(2048),
      barkEffects: [...effects],
      barkHandling: 'async' as const,
    };
    const dog = { id: 'x'.repeat(40), settings, barkCount: Number.MAX_SAFE_INTEGER } as Dog;
    const longestDog = dogDocument({
      dog,
      previous: Array(100).fill(4_000_000_000),
      barking: true,
      next: 4_000_000_000,
      frequency: Number.MAX_SAFE_INTEGER,
    });
    expect(JSON.stringify(longestDog).length).toBeLessThan(MinimumCompressionSize / 4);
  });

  test('does not change the settings of API Gateway that belong to the account', () => {
    expect(stack.ofType('AWS::ApiGateway::Account')).toEqual([]);
  });

  test.each([
    [stack, 'prod', { all: [100, 200], public: [20, 40], token: [10, 20] }],
    [other, 'other', { all: [11, 22], public: [5, 6], token: [3, 4] }],
  ])(
    'throttles each method with the limits in the settings, and logs no bodies',
    (synthesized, stage, limits) => {
      const { StageName, MethodSettings } = synthesized.only('AWS::ApiGateway::Stage').properties;
      const limited = (ResourcePath: string, methods: string[], [rate, burst]: readonly number[]) =>
        methods.map((HttpMethod) => ({
          HttpMethod,
          ResourcePath,
          DataTraceEnabled: false,
          ThrottlingRateLimit: rate,
          ThrottlingBurstLimit: burst,
        }));
      const shown = ['/~1.well-known~1jwks.json', '/', '/~1openapi.json', '/~1docs'];
      expect(StageName).toBe(stage);
      expect(MethodSettings).toEqual([
        ...limited('/*', ['*'], limits.all),
        ...limited(
          '/~1oauth2~1v4~1token',
          ['OPTIONS', 'GET', 'PUT', 'POST', 'DELETE', 'PATCH', 'HEAD'],
          limits.token,
        ),
        ...shown.flatMap((path) => limited(path, ['GET', 'HEAD'], limits.public)),
      ]);
    },
  );

  const expectedMethods = [
    ...routes.flatMap(({ name, method, path, access }) =>
      (method === 'GET' ? ['GET', 'HEAD'] : [method]).map((httpMethod) => ({
        request: `${httpMethod} ${path}`,
        lambda: name,
        authorizer: access === 'user' ? 'RequestAuthorizer' : undefined,
      })),
    ),
    { request: 'ANY /', lambda: 'Fallback', authorizer: 'RequestAuthorizer' },
    { request: 'ANY /{proxy+}', lambda: 'Fallback', authorizer: 'RequestAuthorizer' },
  ];

  test('has only the methods of the routes and of the fallback', () => {
    const requests = methodsOf(stack).map(({ request }) => request);
    expect(requests.sort()).toEqual(expectedMethods.map(({ request }) => request).sort());
  });

  test.each(expectedMethods)('invokes $lambda for $request, with $authorizer', (expected) => {
    expect(methodsOf(stack).find(({ request }) => request === expected.request)).toEqual(expected);
  });

  test.each(expectedMethods)('has the permission to invoke $lambda for $request', ({ request, lambda }) => {
    const [method, path = ''] = request.split(' ');
    const rest = `/${method === 'ANY' ? '*' : method}${path.replaceAll(/\{[^}]+\}/g, '*')}`;
    const sources = invokersOf(stack, lambda).map(
      (arn) => /execute-api:[^/]+\/(?<stage>[^/]+)(?<rest>.*)$/.exec(arn)?.groups,
    );
    expect(sources).toContainEqual({ stage: 'DeploymentStage.prod', rest });
    expect(sources).not.toContainEqual(expect.objectContaining({ stage: 'test-invoke-stage' }));
  });

  test.each([
    [stack, 60],
    [other, 0],
  ])('caches the result of the authorizer for the time in the settings', (synthesized, seconds) => {
    const { properties } = synthesized.only('AWS::ApiGateway::Authorizer');
    expect(properties).toMatchObject({
      Type: 'REQUEST',
      IdentitySource: 'method.request.header.Authorization',
      AuthorizerResultTtlInSeconds: seconds,
    });
  });

  test('invokes only the function Authorizer to authorize requests', () => {
    const { properties } = stack.only('AWS::ApiGateway::Authorizer');
    const lambda = stack.named('AWS::Lambda::Function', 'Authorizer');
    expect(JSON.stringify(properties.AuthorizerUri)).toContain(
      `:lambda:path/2015-03-31/functions/",{"Fn::GetAtt":["${lambda.id}","Arn"]},"/invocations"`,
    );
    expect(invokersOf(stack, 'Authorizer')).toEqual([
      expect.stringMatching(/execute-api.*\/authorizers\/RequestAuthorizer$/),
    ]);
  });
});

describe('the responses that API Gateway generates', () => {
  const own: Record<string, { status?: number; headers?: Record<string, string> }> = {
    UNAUTHORIZED: {
      status: 401,
      headers: { 'WWW-Authenticate': '\'Basic realm="dogs", charset="UTF-8", Bearer realm="dogs"\'' },
    },
    ACCESS_DENIED: { status: 403 },
    MISSING_AUTHENTICATION_TOKEN: { status: 400 },
    BAD_REQUEST_PARAMETERS: { status: 400 },
    BAD_REQUEST_BODY: { status: 400 },
    UNSUPPORTED_MEDIA_TYPE: { status: 415 },
    WAF_FILTERED: { status: 403 },
    THROTTLED: { status: 429, headers: { 'Retry-After': "'1'" } },
    QUOTA_EXCEEDED: { status: 429, headers: { 'Retry-After': "'3600'" } },
    AUTHORIZER_CONFIGURATION_ERROR: { status: 503, headers: { 'Retry-After': "'1'" } },
    AUTHORIZER_FAILURE: { status: 503, headers: { 'Retry-After': "'1'" } },
    INTEGRATION_FAILURE: { status: 503, headers: { 'Retry-After': "'1'" } },
    INTEGRATION_TIMEOUT: { status: 504 },
    DEFAULT_4XX: {},
    DEFAULT_5XX: {},
  };
  const responses = stack.ofType('AWS::ApiGateway::GatewayResponse').map(({ properties }) => properties);
  const responseOf = (type: string) => responses.find(({ ResponseType }) => ResponseType === type) ?? {};

  test('exist for these cases, once each', () => {
    expect(responses.map(({ ResponseType }) => ResponseType).sort()).toEqual(Object.keys(own).sort());
  });

  test('are created one after another, because API Gateway refuses concurrent changes', () => {
    const chain = stack.ofType('AWS::ApiGateway::GatewayResponse');
    const ids = chain.map(({ id }) => id);
    const before = chain.map(({ dependsOn }) => dependsOn.filter((id) => ids.includes(id)));
    expect(before).toEqual([[], ...ids.slice(0, -1).map((id) => [id])]);
  });

  test.each(Object.entries(own))('%s has its status and the headers of a problem', (type, expected) => {
    const { StatusCode, ResponseParameters } = responseOf(type);
    expect(StatusCode).toBe(expected.status && String(expected.status));
    const headers = Object.entries({
      'Content-Type': "'application/problem+json'",
      'Cache-Control': "'no-store'",
      'X-Content-Type-Options': "'nosniff'",
      'X-Request-Id': 'context.extendedRequestId',
      ...expected.headers,
    }).map(([name, value]) => [`gatewayresponse.header.${name}`, value]);
    expect(ResponseParameters).toEqual(Object.fromEntries(headers));
  });

  test.each(Object.entries(own))('%s has a problem of RFC 9457 as its body', (type, { status }) => {
    const { ResponseTemplates } = responseOf(type);
    expect(Object.keys(ResponseTemplates)).toEqual(['application/json']);
    const problem = JSON.parse(ResponseTemplates['application/json']);
    expect(problem).toEqual({
      type: 'about:blank',
      title: expect.stringMatching(/^[A-Z]/),
      ...(status !== undefined && { status }),
      detail: expect.stringMatching(/\.$/),
      instance: '#$context.extendedRequestId',
    });
  });
});

describe('the gateway responses', () => {
  const details = new Map(
    stack
      .ofType('AWS::ApiGateway::GatewayResponse')
      .map(({ properties }) => [
        properties.ResponseType as string,
        JSON.parse(properties.ResponseTemplates['application/json']).detail as string,
      ]),
  );

  test.each(['AUTHORIZER_CONFIGURATION_ERROR', 'AUTHORIZER_FAILURE'])(
    'state that nothing was done: %s',
    (type) => {
      expect(details.get(type)).toBe(
        'The service could not check the credentials. The request had no effect. Wait for the number of seconds in Retry-After, then send it again.',
      );
    },
  );

  test.each(['INTEGRATION_FAILURE', 'INTEGRATION_TIMEOUT', 'DEFAULT_5XX'])(
    'state that the effect is unknown: %s',
    (type) => {
      expect(details.get(type)).toMatch(/ The request may have taken effect\./);
    },
  );
});

describe('the functions', () => {
  test('are only those of the routes and the jobs', () => {
    const names = stack.ofType('AWS::Lambda::Function').map(({ name }) => name);
    expect(names.sort()).toEqual([...functionNames].sort());
  });

  test.each(functionNames)('%s has the expected runtime, memory and timeout', (name) => {
    const { properties } = stack.named('AWS::Lambda::Function', name);
    expect(properties).toMatchObject({
      Runtime: 'nodejs24.x',
      Architectures: [defaultSettings.architecture],
      Handler: 'index.handler',
      MemorySize: defaultSettings.memoryMegabytes,
      Timeout: timeouts[name] ?? 10,
      Description: expect.stringMatching(/\S/),
    });
    expect(other.named('AWS::Lambda::Function', name).properties).toMatchObject({
      Architectures: [otherSettings.architecture],
      MemorySize: otherSettings.memoryMegabytes,
    });
  });

  test('have no reserved concurrency, except the authorizer if the settings reserve some', () => {
    const reserved = (synthesized: SynthesizedStack) =>
      synthesized
        .ofType('AWS::Lambda::Function')
        .filter(({ properties }) => 'ReservedConcurrentExecutions' in properties)
        .map(({ name, properties }) => [name, properties.ReservedConcurrentExecutions]);
    expect(reserved(stack)).toEqual([]);
    expect(reserved(other)).toEqual([['Authorizer', otherSettings.authorizerReservedConcurrency]]);
  });

  test.each(functionNames)(
    '%s logs JSON to its own log group, with the retention in the settings',
    (name) => {
      for (const [synthesized, days] of [
        [stack, defaultSettings.logRetentionDays],
        [other, otherSettings.logRetentionDays],
      ] as const) {
        const { LoggingConfig } = synthesized.named('AWS::Lambda::Function', name).properties;
        expect({ ...LoggingConfig, LogGroup: synthesized.inWords(LoggingConfig.LogGroup) }).toEqual({
          LogFormat: 'JSON',
          LogGroup: `${name}Logs`,
        });
        const group = synthesized.named('AWS::Logs::LogGroup', `${name}Logs`);
        expect(group.properties).toMatchObject({ RetentionInDays: days });
        expect(group.deletionPolicy).toBe('Delete');
      }
    },
  );

  test.each(functionNames)('%s has its own role, which only Lambda may assume', (name) => {
    const { Role } = stack.named('AWS::Lambda::Function', name).properties;
    expect(stack.inWords(Role)).toBe(`${name}Role.Arn`);
    const role = stack.named('AWS::IAM::Role', `${name}Role`);
    expect(role.properties).toEqual({
      AssumeRolePolicyDocument: {
        Version: '2012-10-17',
        Statement: [
          { Action: 'sts:AssumeRole', Effect: 'Allow', Principal: { Service: 'lambda.amazonaws.com' } },
        ],
      },
    });
  });

  test('have all roles of the stack, except those of the workflow and EventBridge Scheduler', () => {
    const names = stack
      .ofType('AWS::IAM::Role')
      .map(({ id, name }) => (name === 'Role' ? id.slice(0, -8) : name.replace(/-[0-9a-f]{6}$/, '')));
    const expected = [
      ...functionNames.map((name) => `${name}Role`),
      'BarkWorkflowStateMachineRole',
      'BarkSchedulesRole',
      'SchedulerRole',
    ];
    expect(names.sort()).toEqual(expected.sort());
  });
});

describe('least privilege', () => {
  const anyIdentity = 'arn:<AWS::Partition>:ses:<AWS::Region>:<AWS::AccountId>:identity/*';
  const configurationSet =
    'arn:<AWS::Partition>:ses:<AWS::Region>:<AWS::AccountId>:configuration-set/ConfigurationSet';
  const anyExecution =
    'arn:<AWS::Partition>:states:<AWS::Region>:<AWS::AccountId>:execution:StateMachine[6]:*';
  const anySchedule = 'arn:<AWS::Partition>:scheduler:<AWS::Region>:<AWS::AccountId>:schedule/dogs-prod/*';
  const sendingMail = [`ses:SendEmail on ${anyIdentity}`, `ses:SendEmail on ${configurationSet}`];
  const tracing = ['xray:PutTelemetryRecords on *', 'xray:PutTraceSegments on *'];
  const settingSchedules = [
    'dynamodb:GetItem on Dogs.Arn',
    'dynamodb:UpdateItem on Dogs.Arn',
    'dynamodb:GetItem on Barks.Arn',
    'dynamodb:PutItem on Barks.Arn',
    'dynamodb:UpdateItem on Barks.Arn',
    `scheduler:CreateSchedule on ${anySchedule}`,
    `scheduler:DeleteSchedule on ${anySchedule}`,
    `scheduler:GetSchedule on ${anySchedule}`,
    'iam:PassRole on Role.Arn',
    ...sendingMail,
  ];
  const barking = [
    'dynamodb:GetItem on Dogs.Arn',
    'dynamodb:UpdateItem on Dogs.Arn',
    'dynamodb:PutItem on Barks.Arn',
    ...sendingMail,
    'states:StartExecution on StateMachine',
    `states:StopExecution on ${anyExecution}`,
  ];
  const permissions: Record<string, readonly string[]> = {
    ListDogs: ['dynamodb:Scan on Dogs.Arn'],
    GetDog: ['dynamodb:GetItem on Dogs.Arn', 'dynamodb:Query on Barks.Arn'],
    PutDog: ['dynamodb:GetItem on Dogs.Arn', 'dynamodb:UpdateItem on Dogs.Arn'],
    DeleteDog: ['dynamodb:DeleteItem on Dogs.Arn', 'dynamodb:GetItem on Dogs.Arn'],
    PostBarks: barking,
    PostLastBark: barking,
    GetLastBark: ['dynamodb:GetItem on Dogs.Arn', 'dynamodb:Query on Barks.Arn'],
    DeleteLastBark: ['dynamodb:GetItem on Dogs.Arn'],
    PatchDog: ['dynamodb:ConditionCheckItem on Dogs.Arn', ...settingSchedules],
    PostBarkSchedule: settingSchedules,
    GetBarkSchedule: ['dynamodb:GetItem on Dogs.Arn'],
    DeleteBarkSchedule: [
      'dynamodb:GetItem on Dogs.Arn',
      'dynamodb:UpdateItem on Dogs.Arn',
      `scheduler:DeleteSchedule on ${anySchedule}`,
    ],
    BarkOnSchedule: [
      'dynamodb:GetItem on Dogs.Arn',
      'dynamodb:UpdateItem on Dogs.Arn',
      'dynamodb:GetItem on Barks.Arn',
      'dynamodb:PutItem on Barks.Arn',
      'dynamodb:UpdateItem on Barks.Arn',
      `scheduler:DeleteSchedule on ${anySchedule}`,
      ...sendingMail,
      'sqs:GetQueueAttributes on BarkDlq.Arn',
      'sqs:GetQueueUrl on BarkDlq.Arn',
      'sqs:SendMessage on BarkDlq.Arn',
    ],
    DeleteBark: [
      'dynamodb:GetItem on Dogs.Arn',
      'dynamodb:DeleteItem on Barks.Arn',
      'dynamodb:GetItem on Barks.Arn',
      'dynamodb:UpdateItem on Barks.Arn',
      `states:StopExecution on ${anyExecution}`,
    ],
    PerformBark: [
      'dynamodb:GetItem on Dogs.Arn',
      'dynamodb:UpdateItem on Dogs.Arn',
      'dynamodb:DeleteItem on Barks.Arn',
      'dynamodb:GetItem on Barks.Arn',
      'dynamodb:PutItem on Barks.Arn',
      'dynamodb:UpdateItem on Barks.Arn',
      ...sendingMail,
    ],
    FailBark: [
      'dynamodb:DeleteItem on Barks.Arn',
      'dynamodb:GetItem on Barks.Arn',
      'dynamodb:UpdateItem on Barks.Arn',
      'sqs:GetQueueAttributes on WorkflowDlq.Arn',
      'sqs:GetQueueUrl on WorkflowDlq.Arn',
      'sqs:SendMessage on WorkflowDlq.Arn',
    ],
    ListBarks: ['dynamodb:GetItem on Dogs.Arn', 'dynamodb:Query on Barks.Arn'],
    GetBark: ['dynamodb:GetItem on Dogs.Arn', 'dynamodb:GetItem on Barks.Arn'],
    Fallback: [],
    Authorizer: ['dynamodb:GetItem on Access.Arn'],
    GetKeys: ['dynamodb:GetItem on Access.Arn'],
    GetConsole: [],
    GetOpenApi: [],
    GetDocs: [],
    IssueToken: ['dynamodb:GetItem on Access.Arn', 'secretsmanager:GetSecretValue on SigningKey'],
    RefreshCredentials: [
      'secretsmanager:GetSecretValue on dogsClient',
      'secretsmanager:GetSecretValue on dogsCredential',
      'secretsmanager:PutSecretValue on dogsCredential',
      'sqs:GetQueueAttributes on RefreshDlq.Arn',
      'sqs:GetQueueUrl on RefreshDlq.Arn',
      'sqs:SendMessage on RefreshDlq.Arn',
    ],
    PurgeDog: [
      'dynamodb:GetItem on Dogs.Arn',
      `scheduler:DeleteSchedule on ${anySchedule}`,
      'dynamodb:DeleteItem on Barks.Arn',
      'dynamodb:Query on Barks.Arn',
      'dynamodb:DescribeStream on Dogs.StreamArn',
      'dynamodb:GetRecords on Dogs.StreamArn',
      'dynamodb:GetShardIterator on Dogs.StreamArn',
      'dynamodb:ListStreams on *',
      'sqs:GetQueueAttributes on PurgeDlq.Arn',
      'sqs:GetQueueUrl on PurgeDlq.Arn',
      'sqs:SendMessage on PurgeDlq.Arn',
    ],
  };

  /** The allowed resources with wildcards, each with its reason. */
  const acknowledged = new Map<string, string>([
    [
      'dynamodb:ListStreams on *',
      'the action does not support resource-level permissions, and returns only names of streams',
    ],
    ...tracing.map(
      (grant) => [grant, 'the action does not support resource-level permissions, and only writes'] as const,
    ),
    [
      `ses:SendEmail on ${anyIdentity}`,
      "SES checks the recipients' identities in its sandbox; the condition limits the statement to the sender",
    ],
    [
      `states:StopExecution on ${anyExecution}`,
      'the executions of this one state machine, named by their barks',
    ],
    ...['Create', 'Delete', 'Get'].map(
      (verb) =>
        [
          `scheduler:${verb}Schedule on ${anySchedule}`,
          'the schedules of this one group, named by their dogs',
        ] as const,
    ),
  ]);

  test.each(functionNames)('%s has exactly the permissions that it needs', (name) => {
    const logs = [`logs:CreateLogStream on ${name}Logs.Arn`, `logs:PutLogEvents on ${name}Logs.Arn`];
    const granted = statementsOf(stack, name).flatMap((statement) => grantsOf(stack, statement));
    expect(granted.sort()).toEqual([...logs, ...tracing, ...(permissions[name] ?? ['unknown'])].sort());
  });

  test.each(functionNames)('%s has no Deny, NotAction or NotResource', (name) => {
    for (const statement of statementsOf(stack, name)) {
      expect(statement.Effect).toBe('Allow');
      expect(statement).not.toHaveProperty('NotAction');
      expect(statement).not.toHaveProperty('NotResource');
    }
  });

  test('only the acknowledged resources have a wildcard, and no action has one', () => {
    const granted = functionNames
      .flatMap((name) => statementsOf(stack, name))
      .flatMap((statement) => grantsOf(stack, statement));
    const withWildcard = granted.filter((grant) => grant.includes('*'));
    expect([...new Set(withWildcard)].sort()).toEqual([...acknowledged.keys()].sort());
  });

  test('every policy belongs to one function, to the workflow, or to EventBridge Scheduler', () => {
    const holders = stack
      .ofType('AWS::IAM::Policy')
      .map(({ properties }) => properties.Roles.map((role: unknown) => stack.inWords(role)).join())
      .map((name) => name.replace(/-[0-9a-f]{6}$/, ''));
    expect(holders.sort()).toEqual(
      [...functionNames.map((name) => `${name}Role`), 'Role', 'Role', 'SchedulerRole'].sort(),
    );
    const managed = stack.ofType('AWS::IAM::ManagedPolicy');
    expect(managed.map(({ name }) => name)).toEqual(['Policy', 'SecretsPolicy']);
    for (const { Roles, Users, Groups } of managed.map(({ properties }) => properties))
      expect([Roles, Users, Groups]).toEqual([undefined, undefined, undefined]);
  });

  test.each([
    [stack, defaultSettings.mailSender],
    [other, otherSettings.mailSender],
  ])('a function can send mail only from the sender in the settings', (synthesized, sender) => {
    const mails = functionNames
      .flatMap((name) => statementsOf(synthesized, name))
      .filter(({ Action }) => String(Action).startsWith('ses:'));
    const fromTheSender = expect.objectContaining({
      Action: 'ses:SendEmail',
      Condition: { StringEquals: { 'ses:FromAddress': sender } },
    });
    expect(mails).toEqual(Array(6).fill(fromTheSender));
    const { Environment } = synthesized.named('AWS::Lambda::Function', 'PostBarks').properties;
    expect(Environment.Variables.MAIL_SENDER).toBe(sender);
  });
});

describe('the environment of the functions', () => {
  const source = readFileSync(join(import.meta.dirname, '../../lambdas/environment.ts'), 'utf8');
  const known = [...source.matchAll(/^ {2}([A-Z_]+): string;$/gm)].map(([, name = '']) => name);

  const permissionFor: Record<string, RegExp> = {
    DOGS_TABLE: /^dynamodb:\w+ on Dogs\.Arn$/,
    BARKS_TABLE: /^dynamodb:\w+ on Barks\.Arn$/,
    ACCESS_TABLE: /^dynamodb:\w+ on Access\.Arn$/,
    MAIL_SENDER: /^ses:SendEmail /,
    MAIL_CONFIGURATION_SET: /^ses:SendEmail on .*:configuration-set\//,
    BARK_WORKFLOW_ARN: /^states:(Start|Stop)Execution /,
    CANCELLATION_WINDOW_SECONDS: /^states:StartExecution /,
    SCHEDULE_GROUP: /^scheduler:DeleteSchedule /,
    SCHEDULE_TARGET_ARN: /^scheduler:CreateSchedule /,
    SCHEDULE_ROLE_ARN: /^iam:PassRole /,
    SCHEDULE_DLQ_ARN: /^scheduler:CreateSchedule /,
    SIGNING_KEY_SECRET: /^secretsmanager:GetSecretValue on SigningKey$/,
    CREDENTIALS: /^secretsmanager:PutSecretValue /,
  };
  const values: Record<string, string> = {
    DOGS_TABLE: 'Dogs',
    BARKS_TABLE: 'Barks',
    ACCESS_TABLE: 'Access',
    MAIL_SENDER: exampleSender,
    MAIL_CONFIGURATION_SET: 'ConfigurationSet',
    BARK_WORKFLOW_ARN: 'StateMachine',
    CANCELLATION_WINDOW_SECONDS: String(defaultSettings.cancellationWindowSeconds),
    SCHEDULE_GROUP: 'dogs-prod',
    SCHEDULE_TARGET_ARN: 'BarkOnSchedule.Arn',
    SCHEDULE_ROLE_ARN: 'Role.Arn',
    SCHEDULE_DLQ_ARN: 'ScheduleDlq.Arn',
    TOKEN_ISSUER: 'urn:dogs:<AWS::AccountId>:<AWS::Region>:prod',
    SIGNING_KEY_SECRET: 'SigningKey',
    CREDENTIALS: '[{"name":"dogs","client":"dogsClient","credential":"dogsCredential"}]',
  };

  /** The variables that need no permission, and the functions that have them. */
  const withoutPermission: Record<string, readonly string[]> = { TOKEN_ISSUER: ['Authorizer', 'IssueToken'] };

  /** The variables that depend on optional settings. */
  const optional = ['CORS_ORIGIN'];

  test('has only variables that belong to a permission, to named functions or to optional settings', () => {
    expect(known.sort()).toEqual(
      [...Object.keys(permissionFor), ...Object.keys(withoutPermission), ...optional].sort(),
    );
  });

  test.each(functionNames)('%s has exactly the variables of its permissions', (name) => {
    const granted = statementsOf(stack, name).flatMap((statement) => grantsOf(stack, statement));
    const belonging = known.filter(
      (variable) =>
        withoutPermission[variable]?.includes(name) ||
        granted.some((grant) => permissionFor[variable]?.test(grant)),
    );
    expect(Object.keys(variablesOf(name)).sort()).toEqual(belonging.sort());
  });

  test.each(functionNames)('%s has exactly the variables that its bundle reads', (name) => {
    const { metadata } = stack.named('AWS::Lambda::Function', name);
    const bundle = readFileSync(join(metadata['aws:asset:path'] ?? '', 'index.cjs'), 'utf8');
    const read = known.filter((variable) => new RegExp(`\\b${variable}\\b`).test(bundle));
    const isSet = (variable: string) => !optional.includes(variable);
    expect(Object.keys(variablesOf(name)).sort()).toEqual(read.filter(isSet).sort());
    expect(Object.keys(variablesOf(name, other)).sort()).toEqual(read.sort());
  });

  test.each(functionNames)('%s has the right values in its variables', (name) => {
    const actual = Object.entries(variablesOf(name)).map(([variable, value]) => [
      variable,
      stack.inWords(value),
    ]);
    expect(actual).toEqual(actual.map(([variable = '']) => [variable, values[variable]]));
  });

  function variablesOf(name: string, synthesized = stack): Record<string, unknown> {
    return synthesized.named('AWS::Lambda::Function', name).properties.Environment?.Variables ?? {};
  }
});

describe('the tables', () => {
  const tables = {
    Dogs: { KeySchema: [{ AttributeName: 'id', KeyType: 'HASH' }] },
    Barks: {
      KeySchema: [
        { AttributeName: 'dog', KeyType: 'HASH' },
        { AttributeName: 'sk', KeyType: 'RANGE' },
      ],
    },
    Access: { KeySchema: [{ AttributeName: 'pk', KeyType: 'HASH' }] },
  };

  test('are Dogs, Barks and Access', () => {
    const names = stack.ofType('AWS::DynamoDB::Table').map(({ name }) => name);
    expect(names.sort()).toEqual(Object.keys(tables).sort());
  });

  test.each(Object.entries(tables))(
    '%s has its keys, on-demand capacity, and point-in-time recovery',
    (name, keys) => {
      expect(stack.named('AWS::DynamoDB::Table', name).properties).toMatchObject({
        ...keys,
        BillingMode: 'PAY_PER_REQUEST',
        PointInTimeRecoverySpecification: { PointInTimeRecoveryEnabled: true },
      });
    },
  );

  test.each(Object.keys(tables))('CloudFormation keeps %s, unless its first deployment fails', (name) => {
    const protectedTable = stack.named('AWS::DynamoDB::Table', name);
    expect(protectedTable.deletionPolicy).toBe('RetainExceptOnCreate');
    // DynamoDB's own protection would stop the rollback of a failed first deployment.
    expect(protectedTable.properties).not.toHaveProperty('DeletionProtectionEnabled');
    const table = other.named('AWS::DynamoDB::Table', name);
    expect(table.properties.DeletionProtectionEnabled).toBe(false);
    expect(table.deletionPolicy).toBe('Delete');
  });

  test.each([
    ['Dogs', { StreamViewType: 'OLD_IMAGE' }],
    ['Barks', undefined],
    ['Access', undefined],
  ])('the stream of %s is %j', (name, stream) => {
    expect(stack.named('AWS::DynamoDB::Table', name).properties.StreamSpecification).toEqual(stream);
  });

  test.each([
    ['Dogs', undefined],
    ['Barks', { AttributeName: 'expires', Enabled: true }],
    ['Access', undefined],
  ])('the time to live of %s is %j', (name, timeToLive) => {
    expect(stack.named('AWS::DynamoDB::Table', name).properties.TimeToLiveSpecification).toEqual(timeToLive);
  });
});

describe('the purge of deleted dogs', () => {
  test('runs after the removal of a dog, with 100 retries', () => {
    const { properties } = stack.only('AWS::Lambda::EventSourceMapping');
    expect(properties).toMatchObject({
      StartingPosition: 'TRIM_HORIZON',
      BatchSize: 1,
      MaximumRetryAttempts: 100,
    });
    expect(stack.inWords(properties.EventSourceArn)).toBe('Dogs.StreamArn');
    expect(stack.inWords(properties.FunctionName)).toBe('PurgeDog');
    const patterns = properties.FilterCriteria.Filters.map(({ Pattern }: { Pattern: string }) =>
      JSON.parse(Pattern),
    );
    expect(patterns).toEqual([{ eventName: ['REMOVE'] }]);
  });

  test.each([
    [stack, 2],
    [other, 1],
  ])('has the parallelization factor in the settings', (synthesized, concurrency) => {
    expect(synthesized.only('AWS::Lambda::EventSourceMapping').properties.ParallelizationFactor).toBe(
      concurrency,
    );
  });

  test('sends a failed purge to a dead-letter queue', () => {
    const { DestinationConfig } = stack.only('AWS::Lambda::EventSourceMapping').properties;
    expect(stack.inWords(DestinationConfig.OnFailure.Destination)).toBe('PurgeDlq.Arn');
    expect(stack.named('AWS::SQS::Queue', 'PurgeDlq').properties).toEqual({
      MessageRetentionPeriod: 14 * 24 * 60 * 60,
      SqsManagedSseEnabled: true,
    });
  });
});

describe('the workflow of asynchronous barks', () => {
  const { DefinitionString } = stack.only('AWS::StepFunctions::StateMachine').properties;
  const definition = JSON.parse(stack.inWords(DefinitionString));

  test('consists of a wait, a task, and a task for failures', () => {
    expect(definition).toMatchObject({
      StartAt: 'WaitForCancellation',
      TimeoutSeconds: 12 * 60 + defaultSettings.cancellationWindowSeconds,
      States: {
        WaitForCancellation: {
          Type: 'Wait',
          Seconds: defaultSettings.cancellationWindowSeconds,
          Next: 'PerformBark',
        },
        PerformBark: {
          Type: 'Task',
          Resource: 'PerformBark.Arn',
          End: true,
          Retry: [
            { ErrorEquals: ['States.ALL'], MaxAttempts: 10, MaxDelaySeconds: 60, JitterStrategy: 'FULL' },
          ],
          Catch: [{ ErrorEquals: ['States.ALL'], ResultPath: '$.error', Next: 'FailBark' }],
        },
        FailBark: {
          Type: 'Task',
          Resource: 'FailBark.Arn',
          End: true,
          Retry: [{ ErrorEquals: ['States.ALL'] }],
        },
      },
    });
    expect(Object.keys(definition.States)).toHaveLength(3);
  });

  test('is a Standard workflow, because an Express one cannot be stopped', () => {
    expect(stack.only('AWS::StepFunctions::StateMachine').properties.StateMachineType).toBe('STANDARD');
  });

  test('can only invoke its two functions and write traces', () => {
    const { properties } = stack
      .ofType('AWS::IAM::Policy')
      .find(({ id }) => id.startsWith('BarkWorkflowStateMachine')) ?? {
      properties: { PolicyDocument: { Statement: [] } },
    };
    const granted = properties.PolicyDocument.Statement.flatMap((statement: Statement) =>
      grantsOf(stack, statement),
    );
    expect(granted.sort()).toEqual(
      [
        ...['FailBark.Arn', 'FailBark.Arn:*', 'PerformBark.Arn', 'PerformBark.Arn:*'].map(
          (resource) => `lambda:InvokeFunction on ${resource}`,
        ),
        ...['GetSamplingRules', 'GetSamplingTargets', 'PutTelemetryRecords', 'PutTraceSegments'].map(
          (action) => `xray:${action} on *`,
        ),
      ].sort(),
    );
  });

  test('invokes FailBark for each execution that fails, times out or is stopped', () => {
    const { EventPattern, Targets } = stack.named('AWS::Events::Rule', 'Ended').properties;
    expect({
      ...EventPattern.detail,
      stateMachineArn: EventPattern.detail.stateMachineArn.map((arn: unknown) => stack.inWords(arn)),
    }).toEqual({
      status: ['FAILED', 'TIMED_OUT', 'ABORTED'],
      stateMachineArn: ['StateMachine'],
    });
    expect(
      Targets.map(({ Arn, DeadLetterConfig }: { Arn: unknown; DeadLetterConfig: { Arn: unknown } }) => [
        stack.inWords(Arn),
        stack.inWords(DeadLetterConfig.Arn),
      ]),
    ).toEqual([['FailBark.Arn', 'WorkflowDlq.Arn']]);
    expect(invokeConfigOf('FailBark')).toEqual({ retries: 2, age: 3600, onFailure: 'WorkflowDlq.Arn' });
  });
});

describe('the schedules of the dogs', () => {
  test('refer to resources whose names never change', () => {
    expect(stack.named('AWS::Scheduler::ScheduleGroup', 'Group').properties.Name).toBe('dogs-prod');
    expect(stack.named('AWS::Lambda::Function', 'BarkOnSchedule').properties.FunctionName).toBe(
      'dogs-prod-bark-on-schedule',
    );
    expect(stack.inWords(schedulerRole().properties.RoleName)).toBe('dogs-prod-scheduler-<AWS::Region>');
    expect(stack.named('AWS::SQS::Queue', 'ScheduleDlq').properties.QueueName).toBe('dogs-prod-schedule-dlq');
    expect(stack.named('AWS::SQS::Queue', 'BarkDlq').properties.QueueName).toBe('dogs-prod-bark-dlq');
  });

  test('are kept by CloudFormation like the tables', () => {
    expect(stack.named('AWS::Scheduler::ScheduleGroup', 'Group').deletionPolicy).toBe('RetainExceptOnCreate');
    expect(other.named('AWS::Scheduler::ScheduleGroup', 'Group').deletionPolicy).toBe('Delete');
  });

  test('use a role that EventBridge Scheduler may assume only for this group of this account', () => {
    const [statement, ...more] = schedulerRole().properties.AssumeRolePolicyDocument.Statement;
    expect(more).toEqual([]);
    const { 'aws:SourceArn': group, ...rest } = statement.Condition.StringEquals;
    expect(rest).toEqual({ 'aws:SourceAccount': { Ref: 'AWS::AccountId' } });
    expect(stack.inWords(group)).toMatch(/^(Group\.Arn|arn:.*:schedule-group\/dogs-prod)$/);
    expect(statement.Principal).toEqual({ Service: 'scheduler.amazonaws.com' });
  });

  test('can only invoke their target and send to their dead-letter queue', () => {
    const { id } = schedulerRole();
    const granted = stack
      .ofType('AWS::IAM::Policy')
      .filter(({ properties }) => properties.Roles.some(({ Ref }: { Ref: string }) => Ref === id))
      .flatMap(({ properties }) => properties.PolicyDocument.Statement)
      .flatMap((statement) => grantsOf(stack, statement));
    expect(granted.sort()).toEqual([
      'lambda:InvokeFunction on BarkOnSchedule.Arn',
      'sqs:SendMessage on ScheduleDlq.Arn',
    ]);
  });

  test.each(['PatchDog', 'PostBarkSchedule'])(
    '%s may pass that role only to EventBridge Scheduler',
    (name) => {
      const pass = statementsOf(stack, name).filter(({ Action }) => Action === 'iam:PassRole');
      expect(pass).toMatchObject([
        { Condition: { StringEquals: { 'iam:PassedToService': 'scheduler.amazonaws.com' } } },
      ]);
    },
  );

  test('have a target that Lambda retries, and whose failed events go to a queue', () => {
    expect(invokeConfigOf('BarkOnSchedule')).toEqual({ retries: 2, age: 3600, onFailure: 'BarkDlq.Arn' });
  });

  test('have an alarm on the event MailFailed that the functions log', () => {
    const { Namespace, MetricName } = stack.named('AWS::CloudWatch::Alarm', 'MailFailedAlarm').properties;
    const filters = filtersOf('MailFailed');
    for (const { MetricTransformations } of filters)
      expect(MetricTransformations).toMatchObject([{ MetricNamespace: Namespace, MetricName }]);
    expect(filters.map(({ LogGroupName }) => stack.inWords(LogGroupName)).sort()).toEqual([
      'BarkOnScheduleLogs',
      'PatchDogLogs',
      'PerformBarkLogs',
      'PostBarkScheduleLogs',
      'PostBarksLogs',
      'PostLastBarkLogs',
    ]);
  });

  function schedulerRole(): TemplateResource {
    const role = stack.ofType('AWS::IAM::Role').find(({ id }) => id.startsWith('BarkSchedulesRole'));
    if (!role) throw new Error('The scheduler has no role.');
    return role;
  }
});

describe('the tokens and credentials', () => {
  test('have the URN of the stage or the URL in the settings as the issuer', () => {
    const issuerOf = (synthesized: SynthesizedStack, lambda: string) =>
      synthesized.inWords(
        synthesized.named('AWS::Lambda::Function', lambda).properties.Environment.Variables.TOKEN_ISSUER,
      );
    for (const lambda of ['Authorizer', 'IssueToken']) {
      expect(issuerOf(stack, lambda)).toBe('urn:dogs:<AWS::AccountId>:<AWS::Region>:prod');
      expect(issuerOf(other, lambda)).toBe('https://dogs.example.org/v');
    }
  });

  test('have secrets that CloudFormation keeps like the tables', () => {
    const names = (synthesized: SynthesizedStack) =>
      synthesized
        .ofType('AWS::SecretsManager::Secret')
        .map(({ name, deletionPolicy }) => [name, deletionPolicy]);
    expect(names(stack)).toEqual([
      ['SigningKey', 'RetainExceptOnCreate'],
      ['dogsClient', 'RetainExceptOnCreate'],
      ['dogsCredential', 'RetainExceptOnCreate'],
    ]);
    expect(names(other)).toEqual([
      ['SigningKey', 'Delete'],
      ['ownClient', 'Delete'],
      ['ownCredential', 'Delete'],
      ['googleClient', 'Delete'],
      ['googleCredential', 'Delete'],
    ]);
  });

  test('are refreshed every ten minutes, and failed refreshes go to a dead-letter queue', () => {
    const { ScheduleExpression, Target } = stack.only('AWS::Scheduler::Schedule').properties;
    expect(ScheduleExpression).toBe('rate(10 minutes)');
    expect(stack.inWords(Target.Arn)).toBe('RefreshCredentials.Arn');
    expect(stack.inWords(Target.DeadLetterConfig.Arn)).toBe('RefreshDlq.Arn');
    expect(invokeConfigOf('RefreshCredentials')).toEqual({
      retries: 2,
      age: 600,
      onFailure: 'RefreshDlq.Arn',
    });
  });

  test('have an alarm on the event CredentialRefused that the function logs', () => {
    const filters = filtersOf('CredentialRefused');
    expect(filters.map(({ LogGroupName }) => stack.inWords(LogGroupName))).toEqual([
      'RefreshCredentialsLogs',
    ]);
  });
});

/** Returns the metric filters that count an event that functions log. */
function filtersOf(event: string): TemplateResource['properties'][] {
  return stack
    .ofType('AWS::Logs::MetricFilter')
    .map(({ properties }) => properties)
    .filter(({ FilterPattern }) => FilterPattern === `{ $.message.event = "${event}" }`);
}

/** Returns the configuration of the asynchronous invocations of a function. */
function invokeConfigOf(lambda: string): object {
  const config = stack
    .ofType('AWS::Lambda::EventInvokeConfig')
    .find(({ properties }) => stack.inWords(properties.FunctionName) === lambda)?.properties;
  return {
    retries: config?.MaximumRetryAttempts,
    age: config?.MaximumEventAgeInSeconds,
    onFailure: stack.inWords(config?.DestinationConfig.OnFailure.Destination),
  };
}

describe('the dead-letter queues', () => {
  test('accept messages only over encrypted connections', () => {
    const policies = stack.ofType('AWS::SQS::QueuePolicy').map(({ properties }) => properties);
    const denying = expect.objectContaining({
      Effect: 'Deny',
      Action: 'sqs:*',
      Principal: { AWS: '*' },
      Condition: { Bool: { 'aws:SecureTransport': 'false' } },
    });
    for (const { PolicyDocument } of policies) expect(PolicyDocument.Statement).toContainEqual(denying);
    expect(
      policies.flatMap(({ Queues }) => Queues.map((queue: unknown) => stack.inWords(queue))).sort(),
    ).toEqual(
      stack
        .ofType('AWS::SQS::Queue')
        .map(({ name }) => name)
        .sort(),
    );
  });

  test.each([
    ['PurgeDlq', 'ApproximateNumberOfMessagesVisible', 'Maximum', 'PurgeDlq.QueueName'],
    ['WorkflowDlq', 'ApproximateNumberOfMessagesVisible', 'Maximum', 'WorkflowDlq.QueueName'],
    ['ScheduleDlq', 'ApproximateNumberOfMessagesVisible', 'Maximum', 'ScheduleDlq.QueueName'],
    ['BarkDlq', 'ApproximateNumberOfMessagesVisible', 'Maximum', 'BarkDlq.QueueName'],
    ['MailFailed', 'MailFailed', 'Sum', undefined],
    ['BarkFailed', 'BarkFailed', 'Sum', undefined],
    ['RefreshDlq', 'ApproximateNumberOfMessagesVisible', 'Maximum', 'RefreshDlq.QueueName'],
    ['MailFeedback', 'ApproximateNumberOfMessagesVisible', 'Maximum', 'MailFeedback.QueueName'],
    ['CredentialRefused', 'CredentialRefused', 'Sum', undefined],
  ])(
    'and the log events have the alarm %s, which fires on the first message or event',
    (name, MetricName, Statistic, watched) => {
      const { Dimensions = [], ...alarm } = stack.named('AWS::CloudWatch::Alarm', `${name}Alarm`).properties;
      expect(Dimensions.map(({ Value }: { Value: unknown }) => stack.inWords(Value))).toEqual(
        watched === undefined ? [] : [watched],
      );
      expect(alarm).toMatchObject({
        MetricName,
        Statistic,
        ComparisonOperator: 'GreaterThanOrEqualToThreshold',
        Threshold: 1,
        EvaluationPeriods: 1,
        TreatMissingData: 'notBreaching',
      });
    },
  );
});

describe('the mail resources', () => {
  test('send bounces, complaints and rejections through EventBridge to a queue', () => {
    const { ConfigurationSetName, EventDestination } = stack.only(
      'AWS::SES::ConfigurationSetEventDestination',
    ).properties;
    expect(stack.inWords(ConfigurationSetName)).toBe('ConfigurationSet');
    expect(EventDestination).toMatchObject({
      Enabled: true,
      MatchingEventTypes: ['bounce', 'complaint', 'reject'],
    });
    expect(stack.inWords(EventDestination.EventBridgeDestination.EventBusArn)).toMatch(
      /:event-bus\/default$/,
    );
    const { EventPattern, Targets } = stack.named('AWS::Events::Rule', 'FeedbackRule').properties;
    const [set] = EventPattern.detail.mail.tags['ses:configuration-set'];
    expect(EventPattern).toMatchObject({
      source: ['aws.ses'],
      'detail-type': ['Email Bounced', 'Email Complaint Received', 'Email Rejected'],
    });
    expect(stack.inWords(set)).toBe('ConfigurationSet');
    expect(Targets.map(({ Arn }: { Arn: unknown }) => stack.inWords(Arn))).toEqual(['MailFeedback.Arn']);
  });

  test('permit only the EventBridge rule to send to the queue', () => {
    const allowed = stack
      .ofType('AWS::SQS::QueuePolicy')
      .flatMap(({ properties }) => properties.PolicyDocument.Statement)
      .filter(({ Principal }) => Principal.Service === 'events.amazonaws.com')
      .filter(({ Resource }) => stack.inWords(Resource) === 'MailFeedback.Arn');
    expect(allowed.map(({ Condition }) => stack.inWords(Condition.ArnEquals['aws:SourceArn']))).toEqual([
      'FeedbackRule.Arn',
    ]);
  });

  test('contain an identity only if the settings name one, and CloudFormation keeps it', () => {
    expect(stack.ofType('AWS::SES::EmailIdentity')).toEqual([]);
    expect(other.only('AWS::SES::EmailIdentity').properties.EmailIdentity).toBe('example.org');
    expect(outputsOf(other).DkimRecords).toBe(
      [1, 2, 3]
        .map((number) => `Identity.DkimDNSTokenName${number} CNAME Identity.DkimDNSTokenValue${number}`)
        .join('\n'),
    );
    expect(other.only('AWS::SES::EmailIdentity').deletionPolicy).toBe('Delete');
    const kept = synthesizeWith({ ...otherSettings, deletionProtection: true });
    expect(kept.only('AWS::SES::EmailIdentity').deletionPolicy).toBe('RetainExceptOnCreate');
    const address = synthesizeWith({ ...otherSettings, mailIdentity: otherSettings.mailSender });
    expect(address.only('AWS::SES::EmailIdentity').properties.EmailIdentity).toBe(otherSettings.mailSender);
    expect(outputsOf(address)).not.toHaveProperty('DkimRecords');
  });
});

describe('the monitoring', () => {
  const alarms = stack.ofType('AWS::CloudWatch::Alarm');

  test('has these alarms', () => {
    expect(alarms.map(({ name }) => name.replace(/Alarm$/, '')).sort()).toEqual([
      'AsyncEventsDropped',
      'BarkDlq',
      'BarkFailed',
      'CredentialRefused',
      'DestinationFailures',
      'Executions',
      'JobErrors',
      'MailFailed',
      'MailFeedback',
      'OccurrencesLost',
      'PurgeDlq',
      'PurgeLag',
      'RefreshDlq',
      'RuleFailures',
      'ScheduleDlq',
      'ServerErrors',
      'TableThrottles',
      'Throttles',
      'WorkflowDlq',
    ]);
    for (const { properties } of alarms)
      expect(properties).toMatchObject({
        AlarmDescription: expect.stringMatching(/\S/),
        TreatMissingData: 'notBreaching',
        ComparisonOperator: 'GreaterThanOrEqualToThreshold',
      });
  });

  test('notifies the topic in the settings when an alarm starts and when it ends', () => {
    for (const { properties } of alarms) expect(properties).not.toHaveProperty('AlarmActions');
    const { alarmTopicArn } = otherSettings;
    for (const { properties } of other.ofType('AWS::CloudWatch::Alarm'))
      expect(properties).toMatchObject({ AlarmActions: [alarmTopicArn], OKActions: [alarmTopicArn] });
  });

  test('has an alarm on the errors of exactly the background functions', () => {
    const { Metrics, Threshold } = stack.named('AWS::CloudWatch::Alarm', 'JobErrorsAlarm').properties;
    expect(Threshold).toBe(10);
    // The authorizer throws an error for each wrong password.
    const watched = jobs.filter((name) => name !== 'Fallback' && name !== 'Authorizer');
    expect(dimensionsOf(Metrics).sort()).toEqual(watched.sort());
    expect(Metrics).toContainEqual(expect.objectContaining({ Expression: 'SUM([m0,m1,m2,m3,m4])' }));
  });

  test('has an alarm on the percentage of 5xx, which needs at least five of them', () => {
    const { Metrics, Threshold } = stack.named('AWS::CloudWatch::Alarm', 'ServerErrorsAlarm').properties;
    expect(Threshold).toBe(1);
    expect(Metrics).toContainEqual(
      expect.objectContaining({ Expression: 'IF(errors >= 5, 100 * errors / requests, 0)' }),
    );
    expect(metricsOf(Metrics)).toEqual(['5XXError', 'Count']);
    expect(new Set(dimensionsOf(Metrics))).toEqual(new Set(['dogs-prod']));
  });

  test('has an alarm on executions that failed or timed out', () => {
    const { Metrics } = stack.named('AWS::CloudWatch::Alarm', 'ExecutionsAlarm').properties;
    expect(metricsOf(Metrics)).toEqual(['ExecutionsFailed', 'ExecutionsTimedOut']);
    expect(new Set(dimensionsOf(Metrics))).toEqual(new Set(['StateMachine']));
    expect(filtersOf('BarkFailed').map(({ LogGroupName }) => stack.inWords(LogGroupName))).toEqual([
      'PerformBarkLogs',
      'FailBarkLogs',
    ]);
  });

  test('has alarms on throttling of the tables, and of all functions of the account', () => {
    const { Metrics } = stack.named('AWS::CloudWatch::Alarm', 'TableThrottlesAlarm').properties;
    expect(new Set(dimensionsOf(Metrics))).toEqual(new Set(['Dogs', 'Barks', 'Access']));
    expect(new Set(metricsOf(Metrics))).toEqual(new Set(['ReadThrottleEvents', 'WriteThrottleEvents']));
    const { properties } = stack.named('AWS::CloudWatch::Alarm', 'ThrottlesAlarm');
    expect(properties).toMatchObject({ Namespace: 'AWS/Lambda', MetricName: 'Throttles' });
    expect(properties).not.toHaveProperty('Dimensions');
  });

  const asynchronous = ['FailBark', 'BarkOnSchedule', 'RefreshCredentials'];
  const groups = ['dogs-prod', 'dogs-prod-credentials'];
  const rules = ['Ended', 'FeedbackRule'];
  test.each<[string, string, string, readonly string[], string, readonly string[]]>([
    // https://docs.aws.amazon.com/scheduler/latest/UserGuide/monitoring-cloudwatch.html
    [
      'OccurrencesLost',
      'AWS/Scheduler',
      'Sum',
      ['InvocationDroppedCount', 'InvocationsFailedToBeSentToDeadLetterCount'],
      'ScheduleGroup',
      groups,
    ],
    // https://docs.aws.amazon.com/lambda/latest/dg/monitoring-metrics-types.html
    [
      'DestinationFailures',
      'AWS/Lambda',
      'Sum',
      ['DestinationDeliveryFailures'],
      'FunctionName',
      [...asynchronous, 'PurgeDog'],
    ],
    ['AsyncEventsDropped', 'AWS/Lambda', 'Sum', ['AsyncEventsDropped'], 'FunctionName', asynchronous],
    // https://docs.aws.amazon.com/eventbridge/latest/userguide/eb-monitoring.html
    [
      'RuleFailures',
      'AWS/Events',
      'Sum',
      ['FailedInvocations', 'InvocationsFailedToBeSentToDlq'],
      'RuleName',
      rules,
    ],
  ])(
    'has the alarm %s on failed work that does not reach a dead-letter queue',
    (name, namespace, stat, metrics, dimension, values) => {
      const { Metrics, Threshold } = stack.named('AWS::CloudWatch::Alarm', `${name}Alarm`).properties;
      const watched = Metrics.filter((one: { MetricStat?: object }) => one.MetricStat).map(
        ({ MetricStat: { Metric, Period, Stat } }: MetricQuery) => {
          expect([Metric.Namespace, Period, Stat]).toEqual([namespace, 300, stat]);
          const [{ Name, Value } = { Name: '', Value: undefined }, ...more] = Metric.Dimensions;
          expect([Name, more]).toEqual([dimension, []]);
          return `${Metric.MetricName} of ${stack.inWords(Value)}`;
        },
      );
      const expected = values.flatMap((value) => metrics.map((metric) => `${metric} of ${value}`));
      expect(watched.sort()).toEqual(expected.sort());
      expect(Threshold).toBe(1);
    },
  );

  test('watches every rule and every schedule group of the stack', () => {
    expect(stack.ofType('AWS::Events::Rule').map(({ name }) => name)).toEqual(rules);
    const all = stack.ofType('AWS::Scheduler::ScheduleGroup');
    expect(all.map(({ properties }) => properties.Name)).toEqual(groups);
    for (const { properties, dependsOn } of stack.ofType('AWS::Scheduler::Schedule')) {
      const group = all.find(({ properties: { Name } }) => Name === properties.GroupName);
      expect(dependsOn).toContain(group?.id);
    }
  });

  test('has an alarm on the age of the oldest deletion that the purge has not read yet', () => {
    const { properties } = stack.named('AWS::CloudWatch::Alarm', 'PurgeLagAlarm');
    expect(properties).toMatchObject({
      Namespace: 'AWS/Lambda',
      MetricName: 'IteratorAge',
      Statistic: 'Maximum',
      Threshold: 60 * 60 * 1000,
      Period: 300,
    });
    expect(properties.Dimensions.map(({ Value }: { Value: unknown }) => stack.inWords(Value))).toEqual([
      'PurgeDog',
    ]);
  });

  test('has an alarm on too few requests if the setting minimumRequestsPerHour is not 0', () => {
    expect(alarms.map(({ name }) => name)).not.toContain('NoTrafficAlarm');
    expect(other.named('AWS::CloudWatch::Alarm', 'NoTrafficAlarm').properties).toMatchObject({
      Namespace: 'AWS/ApiGateway',
      MetricName: 'Count',
      Statistic: 'Sum',
      Dimensions: [{ Name: 'ApiName', Value: 'dogs-other' }],
      Period: 3600,
      Threshold: otherSettings.minimumRequestsPerHour,
      ComparisonOperator: 'LessThanThreshold',
      EvaluationPeriods: 1,
      // API Gateway publishes no data for an hour without requests.
      TreatMissingData: 'breaching',
    });
  });

  test('has a dashboard with every alarm, every queue and the background functions', () => {
    const { DashboardName, DashboardBody } = stack.only('AWS::CloudWatch::Dashboard').properties;
    expect(stack.inWords(DashboardName)).toBe('DogService-prod-<AWS::Region>');
    const { widgets } = JSON.parse(stack.inWords(DashboardBody));
    const status = widgets.find(({ type }: { type: string }) => type === 'alarm');
    expect(status.properties.alarms).toHaveLength(alarms.length);
    const body = JSON.stringify(widgets);
    const queues = stack.ofType('AWS::SQS::Queue').map(({ name }) => name);
    for (const name of [
      ...queues,
      'BarkOnSchedule',
      'FailBark',
      'PurgeDog',
      'RefreshCredentials',
      'PerformBark',
    ])
      expect(body).toContain(`"label":"${name}"`);
  });

  test.each([
    [stack, { lambda: 'Active', stage: true, workflow: true }],
    [other, { lambda: undefined, stage: false, workflow: false }],
  ])(
    'traces the API, the functions and the workflow if the setting is on',
    (synthesized, { lambda, stage, workflow }) => {
      for (const { properties } of synthesized.ofType('AWS::Lambda::Function'))
        expect(properties.TracingConfig?.Mode).toBe(lambda);
      expect(synthesized.only('AWS::ApiGateway::Stage').properties.TracingEnabled).toBe(stage);
      const { TracingConfiguration } = synthesized.only('AWS::StepFunctions::StateMachine').properties;
      expect(TracingConfiguration).toEqual({ Enabled: workflow });
    },
  );

  test('logs each request without its headers, query and body if the setting is on', () => {
    expect(stack.only('AWS::ApiGateway::Stage').properties).not.toHaveProperty('AccessLogSetting');
    const { AccessLogSetting } = other.only('AWS::ApiGateway::Stage').properties;
    const line: Record<string, string> = JSON.parse(AccessLogSetting.Format);
    expect(line).toMatchObject({
      requestId: '$context.requestId',
      extendedRequestId: '$context.extendedRequestId',
      status: '$context.status',
    });
    for (const value of Object.values(line)) expect(value).toMatch(/^\$context\.[\w.]+$/);
    expect(other.named('AWS::Logs::LogGroup', 'AccessLogs').properties.RetentionInDays).toBe(7);
  });

  function metricsOf(metrics: { MetricStat?: { Metric: { MetricName: string } } }[]): string[] {
    return metrics.flatMap(({ MetricStat }) => (MetricStat ? [MetricStat.Metric.MetricName] : [])).sort();
  }

  function dimensionsOf(metrics: { MetricStat?: { Metric: { Dimensions: { Value: unknown }[] } } }[]) {
    return metrics.flatMap(
      ({ MetricStat }) => MetricStat?.Metric.Dimensions.map(({ Value }) => stack.inWords(Value)) ?? [],
    );
  }
});

describe('the optional settings', () => {
  const cannotBeTagged = [
    'AWS::ApiGateway::Authorizer',
    'AWS::ApiGateway::BasePathMapping',
    'AWS::ApiGateway::Deployment',
    'AWS::ApiGateway::GatewayResponse',
    'AWS::ApiGateway::Method',
    'AWS::ApiGateway::Resource',
    'AWS::IAM::ManagedPolicy',
    'AWS::IAM::Policy',
    'AWS::Lambda::Alias',
    'AWS::Lambda::EventInvokeConfig',
    'AWS::Lambda::Permission',
    'AWS::Lambda::Version',
    'AWS::Logs::MetricFilter',
    'AWS::SES::ConfigurationSetEventDestination',
    'AWS::SQS::QueuePolicy',
    'AWS::Scheduler::Schedule',
    'AWS::WAFv2::WebACLAssociation',
  ];

  const types = [
    'AWS::ApiGateway::BasePathMapping',
    'AWS::ApiGateway::DomainName',
    'AWS::Budgets::Budget',
    'AWS::SES::EmailIdentity',
    'AWS::WAFv2::WebACL',
    'AWS::WAFv2::WebACLAssociation',
  ];

  test('add no resource by default', () => {
    for (const type of types) expect([type, stack.ofType(type)]).toEqual([type, []]);
    for (const type of types) expect([type, other.ofType(type)]).toEqual([type, [expect.anything()]]);
    expect(methodsOf(stack).filter(({ request }) => request.startsWith('OPTIONS'))).toEqual([]);
  });

  test('add a domain name', () => {
    expect(other.only('AWS::ApiGateway::DomainName').properties).toMatchObject({
      DomainName: 'dogs.example.org',
      RegionalCertificateArn: otherSettings.certificateArn,
      SecurityPolicy: 'SecurityPolicy_TLS13_1_2_PFS_PQ_2025_09',
      EndpointConfiguration: { Types: ['REGIONAL'] },
    });
    expect(outputsOf(other)).toMatchObject({
      BaseUrl: otherSettings.baseUrl,
      DomainTarget: 'DomainName.RegionalDomainName',
    });
  });

  test('make the domain name the issuer of tokens, unless baseUrl is set', () => {
    const issuerOf = (settings: Partial<typeof otherSettings>) =>
      synthesizeWith({ ...otherSettings, ...settings }).named('AWS::Lambda::Function', 'IssueToken')
        .properties.Environment.Variables.TOKEN_ISSUER;
    expect(issuerOf({})).toBe(otherSettings.baseUrl);
    expect(issuerOf({ baseUrl: '' })).toBe('https://dogs.example.org');
  });

  test('add a preflight response without credentials to each path, and CORS headers to each gateway response', () => {
    const preflights = other
      .ofType('AWS::ApiGateway::Method')
      .filter(({ properties }) => properties.HttpMethod === 'OPTIONS');
    const paths = preflights.map(({ properties }) => pathOf(other, properties.ResourceId));
    expect(paths.sort()).toEqual([...new Set(routes.map(({ path }) => path))].sort());
    for (const { properties } of preflights) {
      expect(properties.AuthorizationType).toBe('NONE');
      const [{ ResponseParameters, StatusCode }] = properties.Integration.IntegrationResponses;
      expect(StatusCode).toBe('204');
      expect(ResponseParameters).toMatchObject({
        'method.response.header.Access-Control-Allow-Origin': "'https://app.example.org'",
        'method.response.header.Access-Control-Allow-Headers': expect.stringMatching(
          /Authorization.*Idempotency-Key/,
        ),
        'method.response.header.Access-Control-Allow-Methods': expect.stringMatching(/GET|POST/),
      });
    }
    for (const { properties } of other.ofType('AWS::ApiGateway::GatewayResponse'))
      expect(properties.ResponseParameters).toMatchObject({
        'gatewayresponse.header.Access-Control-Allow-Origin': "'https://app.example.org'",
      });
  });

  test('encrypt tables, secrets, queues and logs with a key', () => {
    const { encryptionKeyArn } = otherSettings;
    for (const { properties } of other.ofType('AWS::DynamoDB::Table'))
      expect(properties.SSESpecification).toEqual({
        SSEEnabled: true,
        SSEType: 'KMS',
        KMSMasterKeyId: encryptionKeyArn,
      });
    for (const { properties } of other.ofType('AWS::SecretsManager::Secret'))
      expect(properties.KmsKeyId).toBe(encryptionKeyArn);
    for (const { properties } of other.ofType('AWS::SQS::Queue')) {
      expect(properties.KmsMasterKeyId).toBe(encryptionKeyArn);
      expect(properties).not.toHaveProperty('SqsManagedSseEnabled');
    }
    for (const { properties } of other.ofType('AWS::Logs::LogGroup'))
      expect(properties.KmsKeyId).toBe(encryptionKeyArn);
  });

  test('do not include a key by default, and SQS encrypts the queues with its own keys', () => {
    for (const { properties } of stack.ofType('AWS::SQS::Queue')) {
      expect(properties.SqsManagedSseEnabled).toBe(true);
      expect(properties).not.toHaveProperty('KmsMasterKeyId');
    }
    for (const { properties } of stack.ofType('AWS::Logs::LogGroup'))
      expect(properties).not.toHaveProperty('KmsKeyId');
  });

  /** Returns the roles that may do exactly these actions with the key through a service. */
  function usersOfKey(actions: readonly string[], service: string): string[] {
    const users = other
      .ofType('AWS::IAM::Policy')
      .filter(({ properties }) =>
        properties.PolicyDocument.Statement.some(
          (statement: Statement) =>
            [statement.Action].flat().join() === actions.join() &&
            other.inWords(statement.Resource) === otherSettings.encryptionKeyArn &&
            JSON.stringify(statement.Condition ?? {}).includes(`"${service}.`),
        ),
      );
    return users.map(({ properties: { Roles } }) => other.inWords(Roles[0])).sort();
  }

  test('permit each role to use the key only through the services that it needs', () => {
    const withTables = functionNames
      .filter((name) =>
        statementsOf(other, name).some(({ Action }) => /dynamodb:(?!ListStreams)/.test(String(Action))),
      )
      .map((name) => `${name}Role`);
    const reading = ['kms:Decrypt'];
    const writing = ['kms:Decrypt', 'kms:GenerateDataKey'];
    expect(usersOfKey(reading, 'dynamodb')).toEqual(withTables.sort());
    expect(usersOfKey(reading, 'secretsmanager')).toEqual(['IssueTokenRole']);
    expect(usersOfKey(writing, 'secretsmanager')).toEqual(['RefreshCredentialsRole']);
    const senders = other
      .ofType('AWS::IAM::Policy')
      .filter(({ properties }) => JSON.stringify(properties.PolicyDocument).includes('sqs:SendMessage'))
      .map(({ properties: { Roles } }) => other.inWords(Roles[0]));
    expect(senders).toHaveLength(6);
    expect(usersOfKey(writing, 'sqs')).toEqual(senders.sort());
    const withoutService = other
      .ofType('AWS::IAM::Policy')
      .flatMap(({ properties }) => properties.PolicyDocument.Statement as Statement[])
      .filter(({ Action }) => String(Action).includes('kms:'))
      .filter(({ Condition }) => !JSON.stringify(Condition ?? {}).includes('kms:ViaService'));
    // The CDK grants this for the stream, which Lambda reads with the role of PurgeDog.
    expect(withoutService.map(({ Action }) => Action)).toEqual([['kms:Decrypt', 'kms:DescribeKey']]);
    for (const { properties } of stack.ofType('AWS::IAM::Policy'))
      expect(JSON.stringify(properties.PolicyDocument)).not.toContain('kms:');
  });

  test('add a firewall that blocks each request with X-HTTP-Method-Override, regardless of the value', () => {
    const rules: Record<string, unknown>[] = other.only('AWS::WAFv2::WebACL').properties.Rules;
    expect(rules.find(({ Name }) => Name === 'MethodOverride')).toMatchObject({
      Action: { Block: {} },
      Statement: {
        SizeConstraintStatement: {
          FieldToMatch: { SingleHeader: { Name: 'x-http-method-override' } },
          ComparisonOperator: 'GE',
          Size: 0,
          TextTransformations: [{ Priority: 0, Type: 'NONE' }],
        },
      },
    });
    expect(new Set(rules.map(({ Priority }) => Priority)).size).toBe(rules.length);
  });

  test('add a firewall that limits the requests of each IP address', () => {
    const { Scope, DefaultAction, Rules } = other.only('AWS::WAFv2::WebACL').properties;
    expect({ Scope, DefaultAction }).toEqual({ Scope: 'REGIONAL', DefaultAction: { Allow: {} } });
    expect(Rules).toMatchObject([
      {
        Action: { Block: {} },
        Statement: {
          RateBasedStatement: { Limit: 1000, EvaluationWindowSec: 300, AggregateKeyType: 'IP' },
        },
      },
      { Statement: { ManagedRuleGroupStatement: { Name: 'AWSManagedRulesAmazonIpReputationList' } } },
      { Statement: { ManagedRuleGroupStatement: { Name: 'AWSManagedRulesKnownBadInputsRuleSet' } } },
      { Name: 'MethodOverride' },
    ]);
    const { ResourceArn, WebACLArn } = other.only('AWS::WAFv2::WebACLAssociation').properties;
    expect(other.inWords(ResourceArn)).toMatch(/\/stages\/DeploymentStage\.other$/);
    expect(other.inWords(WebACLArn)).toBe('WebAcl.Arn');
  });

  test('add a budget for the costs of the stack, which notifies the topic of the alarms', () => {
    const { Budget, NotificationsWithSubscribers } = other.only('AWS::Budgets::Budget').properties;
    expect({ ...Budget, BudgetName: other.inWords(Budget.BudgetName) }).toEqual({
      BudgetName: 'DogService-other-<AWS::Region>',
      BudgetType: 'COST',
      TimeUnit: 'MONTHLY',
      BudgetLimit: { Amount: 20, Unit: 'USD' },
      CostFilters: { TagKeyValue: ['aws:cloudformation:stack-name$DogService-other'] },
    });
    expect(NotificationsWithSubscribers).toMatchObject([
      { Notification: { NotificationType: 'ACTUAL', Threshold: 80 } },
      { Notification: { NotificationType: 'FORECASTED', Threshold: 100 } },
    ]);
    for (const { Subscribers } of NotificationsWithSubscribers)
      expect(Subscribers).toEqual([{ SubscriptionType: 'SNS', Address: otherSettings.alarmTopicArn }]);
  });

  test('add tags to every resource that can have tags', () => {
    const untagged = other.resources
      .filter(({ properties }) => !JSON.stringify(properties.Tags ?? properties).includes('team'))
      .map(({ type }) => type);
    expect([...new Set(untagged)].sort()).toEqual(cannotBeTagged);
    expect(JSON.stringify(stack.template)).not.toContain('"Tags"');
  });
});

describe('the stack as a whole', () => {
  test.each([
    [stack, true],
    [other, false],
  ])('has termination protection if the setting deletionProtection is on', (synthesized, expected) => {
    expect(synthesized.stack.terminationProtection).toBe(expected);
  });

  test('warns if the sender is the example address', () => {
    const warnings = Annotations.fromStack(stack.stack).findWarning('*', Match.anyValue());
    expect(warnings.map(({ entry }) => entry.data)).toEqual([expect.stringContaining(exampleSender)]);
  });

  test('has no warning if the sender is another address', () => {
    expect(Annotations.fromStack(other.stack).findWarning('*', Match.anyValue())).toEqual([]);
  });

  test('keeps only resources that CloudFormation can import again by the identifiers in docs/deploying.md', () => {
    // The identifiers are the primary identifiers of the resource types' schemas, which all have a read handler.
    const identifiers: Record<string, string> = {
      'AWS::DynamoDB::Table': 'TableName',
      'AWS::Scheduler::ScheduleGroup': 'Name',
      'AWS::SES::EmailIdentity': 'EmailIdentity',
      'AWS::SecretsManager::Secret': 'Id',
    };
    const { resources } = synthesizeWith({ ...otherSettings, deletionProtection: true });
    const kept = resources.filter(({ deletionPolicy }) => deletionPolicy?.startsWith('Retain'));
    expect([...new Set(kept.map(({ type }) => type))].sort()).toEqual(Object.keys(identifiers).sort());
    const guide = readFileSync(join(import.meta.dirname, '../../docs/deploying.md'), 'utf8');
    for (const [type, identifier] of Object.entries(identifiers))
      expect(guide).toContain(`"${type}": "${identifier}"`);
    // An import operation can import these resources without the rest of the template.
    const ids = new Set(kept.map(({ id }) => id));
    for (const { properties, dependsOn } of kept) {
      expect(JSON.stringify(properties)).not.toMatch(/"(Ref|Fn::\w+)"/);
      expect(dependsOn.every((id) => ids.has(id))).toBe(true);
    }
  });

  test('has the same template each time it is synthesized', () => {
    expect(synthesizeWith().template).toEqual(stack.template);
  });

  test('has no physical name in common with another stage', () => {
    const names = physicalNamesOf(stack);
    expect(names).toContain('dogs-prod');
    expect(names.filter((name) => physicalNamesOf(other).includes(name))).toEqual([]);
    expect(stack.stack.stackName).not.toBe(other.stack.stackName);
  });

  test('has outputs with its URL and its tables', () => {
    expect(outputsOf(stack)).toMatchObject({
      BaseUrl: 'https://RestApi.execute-api.<AWS::Region>.<AWS::URLSuffix>/DeploymentStage.prod',
      DogsTable: 'Dogs',
      BarksTable: 'Barks',
      AccessTable: 'Access',
    });
  });

  test('has an output with its queues, and the function of each queue', () => {
    expect(JSON.parse(outputsOf(stack).Queues ?? '')).toEqual(
      [
        ['WorkflowDlq', 'FailBark'],
        ['ScheduleDlq', 'BarkOnSchedule'],
        ['BarkDlq', 'BarkOnSchedule'],
        ['PurgeDlq', 'PurgeDog'],
        ['MailFeedback'],
        ['RefreshDlq', 'RefreshCredentials'],
      ].map(([name, lambda]) => ({ name, url: name, ...(lambda && { function: lambda }) })),
    );
  });
});

function outputsOf(synthesized: SynthesizedStack): Record<string, string> {
  const { Outputs } = synthesized.template as { Outputs: Record<string, { Value: unknown }> };
  return Object.fromEntries(
    Object.entries(Outputs).map(([name, { Value }]) => [name, synthesized.inWords(Value)]),
  );
}

/** A metric query of an alarm. It is not an expression. */
interface MetricQuery {
  readonly MetricStat: {
    readonly Metric: {
      readonly Namespace: string;
      readonly MetricName: string;
      readonly Dimensions: readonly { readonly Name: string; readonly Value: unknown }[];
    };
    readonly Period: number;
    readonly Stat: string;
  };
}

interface Statement {
  readonly Effect: string;
  readonly Action: string | string[];
  readonly Resource: unknown;
  readonly Condition?: object;
}

function statementsOf(synthesized: SynthesizedStack, lambda: string): Statement[] {
  const role = synthesized.named('AWS::IAM::Role', `${lambda}Role`);
  return synthesized
    .ofType('AWS::IAM::Policy')
    .filter(({ properties }) => properties.Roles.some(({ Ref }: { Ref: string }) => Ref === role.id))
    .flatMap(({ properties }) => properties.PolicyDocument.Statement);
}

function grantsOf(synthesized: SynthesizedStack, { Action, Resource }: Statement): string[] {
  const resources = [Resource].flat().map((resource) => synthesized.inWords(resource));
  return [Action].flat().flatMap((action) => resources.map((resource) => `${action} on ${resource}`));
}

function methodsOf(synthesized: SynthesizedStack) {
  return synthesized.ofType('AWS::ApiGateway::Method').map(({ properties }) => ({
    request: `${properties.HttpMethod} ${pathOf(synthesized, properties.ResourceId)}`,
    lambda: /functions\/(\w+)\.Arn\/invocations$/.exec(synthesized.inWords(properties.Integration.Uri))?.[1],
    authorizer:
      properties.AuthorizationType === 'CUSTOM' ? synthesized.inWords(properties.AuthorizerId) : undefined,
  }));
}

function pathOf(synthesized: SynthesizedStack, resourceId: { Ref?: string }): string {
  const resource = synthesized.ofType('AWS::ApiGateway::Resource').find(({ id }) => id === resourceId.Ref);
  if (!resource) return '/';
  const parent = pathOf(synthesized, resource.properties.ParentId);
  return `${parent === '/' ? '' : parent}/${resource.properties.PathPart}`;
}

/** Returns the source ARNs for which API Gateway may invoke a function. */
function invokersOf(synthesized: SynthesizedStack, lambda: string): string[] {
  return synthesized
    .ofType('AWS::Lambda::Permission')
    .filter(({ properties }) => synthesized.inWords(properties.FunctionName) === `${lambda}.Arn`)
    .map(({ properties }) => {
      expect(properties.Principal).toBe('apigateway.amazonaws.com');
      return synthesized.inWords(properties.SourceArn);
    });
}

/** Returns the names that are unique in an account and a region. The name of an inline policy is unique only in its role. */
function physicalNamesOf(synthesized: SynthesizedStack): string[] {
  return synthesized.resources
    .filter(({ type }) => type !== 'AWS::IAM::Policy' && type !== 'AWS::Lambda::Permission')
    .flatMap(({ properties }) =>
      Object.entries(properties)
        .filter(
          ([property, value]) =>
            /^(Name|(Alarm|Function|Queue|Role|Stage|Table)Name)$/.test(property) &&
            !(typeof value === 'object' && value !== null && 'Ref' in value),
        )
        .map(([, value]) => synthesized.inWords(value)),
    );
}

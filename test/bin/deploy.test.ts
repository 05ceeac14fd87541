import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { mock } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import {
  APIGatewayClient,
  type ApiStatus,
  GetAccountCommand as GetGatewayAccountCommand,
  GetRestApiCommand,
} from '@aws-sdk/client-api-gateway';
import {
  CloudFormationClient,
  DescribeStacksCommand,
  GetTemplateCommand,
  ListStackResourcesCommand,
  type Stack,
} from '@aws-sdk/client-cloudformation';
import { DescribeTableCommand, DynamoDBClient, UpdateTableCommand } from '@aws-sdk/client-dynamodb';
import { GetAccountSettingsCommand, LambdaClient } from '@aws-sdk/client-lambda';
import { GetAccountCommand, GetEmailIdentityCommand, SESv2Client } from '@aws-sdk/client-sesv2';
import { GetParameterCommand, SSMClient } from '@aws-sdk/client-ssm';
import { GetCallerIdentityCommand, STSClient } from '@aws-sdk/client-sts';
import { bootstrapVersion } from '../../bin/deploy/checks.ts';
import { lineOf } from '../../bin/deploy/finding.ts';
import { main } from '../../bin/deploy/main.ts';
import type { DeployCommand } from '../../bin/deploy/options.ts';
import { preflight } from '../../bin/deploy/preflight.ts';
import type { Template } from '../../bin/deploy/tls-policy.ts';
import { defaultSettings, exampleSender, type Settings } from '../../lib/settings.ts';
import { readStage, type Stage } from '../../lib/stages.ts';
import { mockClient } from '../support/mock-client.ts';
import { synthesized } from '../support/prepare.ts';
import { describedStack, stackOutputs } from '../support/stack-outputs.ts';

const sts = mockClient(STSClient);
const ssm = mockClient(SSMClient);
const cloudFormation = mockClient(CloudFormationClient);
const ses = mockClient(SESv2Client);
const lambda = mockClient(LambdaClient);
const gateway = mockClient(APIGatewayClient);
const database = mockClient(DynamoDBClient);

/** Returns an error as the AWS SDK throws it. */
const errorNamed = (name: string, message = '', more: object = {}) =>
  Object.assign(new Error(message), { name, ...more });

const settings: Settings = {
  ...defaultSettings,
  stage: 'test',
  mailSender: 'dogs@mail.example.org',
  deletionProtection: false,
};

const stageWith = (changes: Partial<Settings> = {}, listed: string[] = []): Stage => ({
  settings: { ...settings, ...changes },
  listed: new Set(listed),
});

/** Returns a stack that an earlier deployment with these settings has created. */
function deployedWith(changes: Record<string, unknown> = {}, stack: Partial<Stack> = {}): Stack {
  return {
    StackName: 'DogService-test',
    CreationTime: new Date(0),
    StackStatus: 'UPDATE_COMPLETE',
    Outputs: [{ OutputKey: 'Settings', OutputValue: JSON.stringify({ ...settings, ...changes }) }],
    ...stack,
  };
}

const returnsStack = (stack: Stack) =>
  cloudFormation.on(DescribeStacksCommand, { StackName: 'DogService-test' }).resolves({ Stacks: [stack] });

const returnsConcurrency = (quota: number, left = quota) =>
  lambda.on(GetAccountSettingsCommand).resolves({
    AccountLimit: { ConcurrentExecutions: quota, UnreservedConcurrentExecutions: left },
  });

const hasApi = (apiStatus: ApiStatus) =>
  gateway.on(GetRestApiCommand, { restApiId: 'abc123' }).resolves({ apiStatus });

const never = () => new Promise<never>(() => {});

beforeEach(() => {
  Object.assign(process.env, { AWS_REGION: 'eu-west-1', AWS_DEFAULT_REGION: '' });
  for (const client of [sts, ssm, cloudFormation, ses, lambda, gateway, database]) client.reset();
  sts.on(GetCallerIdentityCommand).resolves({
    Account: '123456789012',
    Arn: 'arn:aws:iam::123456789012:user/jane',
  });
  ssm
    .on(GetParameterCommand, { Name: '/cdk-bootstrap/hnb659fds/version' })
    .resolves({ Parameter: { Value: '29' } });
  cloudFormation
    .on(DescribeStacksCommand)
    .rejects(errorNamed('ValidationError', 'Stack with id DogService-test does not exist'));
  ses.on(GetEmailIdentityCommand).rejects(errorNamed('NotFoundException'));
  ses
    .on(GetEmailIdentityCommand, { EmailIdentity: 'example.org' })
    .resolves({ VerifiedForSendingStatus: true });
  ses.on(GetAccountCommand).resolves({
    ProductionAccessEnabled: true,
    SendingEnabled: true,
    SendQuota: { Max24HourSend: 50_000 },
  });
  cloudFormation.on(ListStackResourcesCommand).resolves({
    StackResourceSummaries: [
      ['AWS::ApiGateway::RestApi', 'abc123'],
      ['AWS::SQS::Queue', 'https://sqs.example/queue'],
    ].map(([ResourceType, PhysicalResourceId]) => ({
      ResourceType,
      PhysicalResourceId,
      LogicalResourceId: 'Id',
      LastUpdatedTimestamp: new Date(0),
      ResourceStatus: 'UPDATE_COMPLETE' as const,
    })),
  });
  hasApi('AVAILABLE');
  returnsConcurrency(1000);
  gateway.on(GetGatewayAccountCommand).resolves({ cloudwatchRoleArn: 'arn:aws:iam::123456789012:role/logs' });
});

const notSynthesized = (): Template => {
  throw new Error('The check needs no template.');
};

const linesOf = async (stage = stageWith(), synthesize = notSynthesized) =>
  (await preflight(stage, synthesize)).map(lineOf);

const faultsOf = async (stage?: Stage, synthesize?: () => Template) =>
  (await linesOf(stage, synthesize)).filter((line) => !line.startsWith('ok '));

test('the preflight has one line for each check', async () => {
  expect(await linesOf(stageWith({ accessLogs: true }))).toEqual([
    'ok       credentials   account 123456789012, arn:aws:iam::123456789012:user/jane',
    'ok       region        eu-west-1',
    'ok       bootstrap     version 29',
    'ok       stack         DogService-test does not exist yet',
    'ok       settings      stages/test.json',
    'ok       sender        dogs@mail.example.org',
    'ok       mail quota    50000 mails a day',
    'ok       concurrency   1000 concurrent executions',
    'ok       access logs   arn:aws:iam::123456789012:role/logs',
  ]);
  returnsStack(deployedWith());
  expect((await linesOf()).slice(8)).toEqual([
    'ok       API           AVAILABLE',
    'ok       aliases       none', // @extension canary
  ]);
});

test.each([
  ['CredentialsProviderError', 'Could not load', {}],
  ['ExpiredTokenException', '', {}],
  ['InvalidClientTokenId', '', {}],
  ['Error', 'getaddrinfo ENOTFOUND', { code: 'ENOTFOUND' }],
  ['InternalFailure', 'Sorry', { $fault: 'server' }],
])('the check of the credentials explains %s, and nothing else is checked', async (name, message, more) => {
  sts.on(GetCallerIdentityCommand).rejects(errorNamed(name, message, more));
  const [line, ...others] = await linesOf();
  expect(line).toMatchSnapshot();
  expect([others, cloudFormation.calls()]).toEqual([['ok       region        eu-west-1'], []]);
});

test('the example address of the sender is reported even without credentials', async () => {
  sts.on(GetCallerIdentityCommand).rejects(errorNamed('CredentialsProviderError', 'Could not load', {}));
  const [, , ...others] = await linesOf(stageWith({ mailSender: exampleSender }));
  expect(others).toEqual([
    expect.stringContaining('FAILED   sender        SES cannot send from dogs@example.com.'),
  ]);
});

test('the check of the region fails without a region, and the credentials are still checked', async () => {
  process.env.AWS_REGION = '';
  process.env.AWS_CONFIG_FILE = process.env.AWS_SHARED_CREDENTIALS_FILE = '/dev/null';
  expect(await linesOf()).toEqual([
    'ok       credentials   account 123456789012, arn:aws:iam::123456789012:user/jane',
    expect.stringContaining('FAILED   region        No region is set. '),
  ]);
});

test('the check of the bootstrap stack requires the version that the synthesized stack requires', () => {
  const { artifacts } = JSON.parse(readFileSync(join(synthesized, 'manifest.json'), 'utf8'));
  expect(artifacts['DogService-prod'].properties.requiresBootstrapStackVersion).toBe(bootstrapVersion);
});

test.each<[Stack['StackStatus'], Partial<Stack>]>([
  ['UPDATE_COMPLETE', {}],
  ['UPDATE_ROLLBACK_COMPLETE', {}],
  ['ROLLBACK_COMPLETE', { EnableTerminationProtection: true }],
  ['UPDATE_ROLLBACK_FAILED', {}],
  ['DELETE_FAILED', {}],
  ['UPDATE_IN_PROGRESS', {}],
  // These stacks were never deployed successfully, so they state no settings.
  ['REVIEW_IN_PROGRESS', { Outputs: [] }],
  ['ROLLBACK_COMPLETE', { Outputs: [] }],
  ['CREATE_FAILED', { Outputs: [] }],
])('the preflight checks a stack in the state %s, %j', async (StackStatus, stack) => {
  returnsStack(deployedWith({}, { StackStatus, ...stack }));
  expect(await faultsOf()).toMatchSnapshot();
});

const bootstraps = (Value: string) => ssm.on(GetParameterCommand).resolves({ Parameter: { Value } });
const lacksBootstrap = () => ssm.on(GetParameterCommand).rejects(errorNamed('ParameterNotFound'));
const identity = (EmailIdentity: string, VerifiedForSendingStatus: boolean) => {
  ses.on(GetEmailIdentityCommand).rejects(errorNamed('NotFoundException'));
  ses.on(GetEmailIdentityCommand, { EmailIdentity }).resolves({ VerifiedForSendingStatus });
};
const sends = (ProductionAccessEnabled: boolean, SendingEnabled: boolean) =>
  ses
    .on(GetAccountCommand)
    .resolves({ ProductionAccessEnabled, SendingEnabled, SendQuota: { Max24HourSend: 200 } });
const lacksLogRole = () => gateway.on(GetGatewayAccountCommand).resolves({});
const reserving = (authorizerReservedConcurrency: number) =>
  stageWith({ authorizerReservedConcurrency }, ['authorizerReservedConcurrency']);
const provisioning = (authorizerProvisionedConcurrency: number, authorizerReservedConcurrency = 0) =>
  stageWith({ authorizerProvisionedConcurrency, authorizerReservedConcurrency }, [
    'authorizerProvisionedConcurrency',
    'authorizerReservedConcurrency',
  ]);

test.each<[string, () => unknown, Stage?]>([
  ['a region without a bootstrap stack', lacksBootstrap],
  ['an old bootstrap stack', () => bootstraps('5')],
  [
    'settings that the deployment would change, and that the file does not list',
    () => returnsStack(deployedWith({ memoryMegabytes: 1024, credentials: ['dogs', 'own'] })),
  ],
  [
    'a changed setting that the file lists',
    () => returnsStack(deployedWith({ memoryMegabytes: 1024 })),
    stageWith({ memoryMegabytes: 512 }, ['memoryMegabytes']),
  ],
  [
    'a setting that the deployed version did not have',
    () => returnsStack(deployedWith({ tracing: undefined })),
  ],
  ['a stack that does not state its settings', () => returnsStack(deployedWith({}, { Outputs: [] }))],
  ['a sender that SES has verified', () => identity('dogs@mail.example.org', true)],
  ['a sender whose domain SES has verified', () => identity('mail.example.org', true)],
  ['a sender whose parent domain SES has verified', () => identity('example.org', true)],
  ['the example address', () => {}, readStage('test')],
  ['a sender that SES does not know', () => identity('', false)],
  ['a sender that SES has not verified yet', () => identity('dogs@mail.example.org', false)],
  [
    'an identity that the stack registers',
    () => identity('', false),
    stageWith({ mailIdentity: 'example.org' }),
  ],
  ['the sandbox of SES', () => sends(false, true)],
  ['paused sending', () => sends(true, false)],
  ['the quota of a new account', () => returnsConcurrency(10)],
  ['a reservation of 1 of the quota 10', () => returnsConcurrency(10), reserving(1)],
  ['a reservation of 901 of the quota 1000', () => returnsConcurrency(1000), reserving(901)],
  ['a reservation of 60 of 150 left of 1000', () => returnsConcurrency(1000, 150), reserving(60)],
  ['provisioned concurrency of 1 with the quota 10', () => returnsConcurrency(10), provisioning(1)],
  [
    'an API that API Gateway is changing',
    () => {
      returnsStack(deployedWith());
      hasApi('UPDATING');
    },
  ],
  [
    'a stack that version 1.1.0 deployed',
    () => returnsStack(deployedWith({ tlsPolicy: undefined })),
    stageWith({ tlsPolicy: 'SecurityPolicy_TLS13_1_2_PFS_PQ_2025_09' }, ['tlsPolicy']),
  ],
  ['an unused role for access logs', lacksLogRole],
  ['no role for access logs', lacksLogRole, stageWith({ accessLogs: true })],
])('the preflight checks %s', async (_, prepare, stage = undefined) => {
  prepare();
  expect(await faultsOf(stage)).toMatchSnapshot();
});

test('the check of the concurrency counts what the deployed stack has already reserved', async () => {
  returnsConcurrency(1000, 150);
  returnsStack(deployedWith({ authorizerReservedConcurrency: 10 }));
  expect(await faultsOf(reserving(60))).toEqual([]);
  expect(await faultsOf(reserving(61))).toHaveLength(1);
});

test('the check of the concurrency counts the provisioned concurrency of the deployed version', async () => {
  returnsConcurrency(1000, 1000);
  expect(await faultsOf(provisioning(900))).toEqual([]);
  expect(await faultsOf(provisioning(901))).toEqual([expect.stringContaining('leaves 99 concurrent')]);
  returnsStack(deployedWith({ authorizerProvisionedConcurrency: 450 }));
  expect(await faultsOf(provisioning(450))).toEqual([]);
  expect(await faultsOf(provisioning(451))).toEqual([expect.stringContaining('leaves 99 concurrent')]);
});

test('the check of the concurrency regards provisioned concurrency as part of a reservation', async () => {
  returnsConcurrency(1000, 150);
  expect(await faultsOf(provisioning(25, 50))).toEqual([]);
  expect(await faultsOf(provisioning(25, 51))).toEqual([
    expect.stringContaining('authorizerReservedConcurrency'),
  ]);
});

describe('a change of the TLS policy', () => {
  const template = (policy: Record<string, string>, more: object = {}): Template => ({
    Resources: {
      Api: { Type: 'AWS::ApiGateway::RestApi', Properties: { Name: 'dogs-test', ...policy } },
      Function: { Type: 'AWS::Lambda::Function', Properties: policy },
      [`Deployment${JSON.stringify(policy)}`]: { Type: 'AWS::ApiGateway::Deployment' },
      Stage: { Type: 'AWS::ApiGateway::Stage', Properties: { StageName: 'test', DeploymentId: policy } },
      ...more,
    },
  });
  const former = { SecurityPolicy: 'SecurityPolicy_TLS13_1_2_PFS_PQ_2025_09', EndpointAccessMode: 'STRICT' };
  const changed = stageWith({ tlsPolicy: '' }, ['tlsPolicy']);

  beforeEach(() => {
    returnsStack(deployedWith({ tlsPolicy: undefined }));
    cloudFormation
      .on(GetTemplateCommand, { StackName: 'DogService-test' })
      .resolves({ TemplateBody: JSON.stringify(template(former)) });
  });

  test('is not accepted tacitly in an update from a version that had only one', async () => {
    expect(await faultsOf(stageWith(), () => template({}))).toEqual([
      expect.stringContaining('tlsPolicy from "SecurityPolicy_TLS13_1_2_PFS_PQ_2025_09" to "". List them.'),
    ]);
  });

  test('may be deployed together with changes to the functions', async () => {
    const lines = await linesOf(changed, () => template({}));
    expect(lines.at(-1)).toBe(
      'ok       TLS policy    "SecurityPolicy_TLS13_1_2_PFS_PQ_2025_09" becomes "" within about 15 minutes',
    );
  });

  test('must not be deployed together with other changes to the API', async () => {
    const responses = ['A', 'B', 'C', 'D'].map((id) => [id, { Type: 'AWS::ApiGateway::GatewayResponse' }]);
    expect(await faultsOf(changed, () => template({}, Object.fromEntries(responses)))).toEqual([
      'FAILED   TLS policy    The deployment would change tlsPolicy together with other parts of the API (A, B, C and 1 more), which API Gateway refuses. Deploy first with "tlsPolicy": "SecurityPolicy_TLS13_1_2_PFS_PQ_2025_09" in stages/test.json, and then change it.',
    ]);
    expect(await faultsOf(changed, () => template({ Name: 'other' }))).toEqual([
      expect.stringContaining('(Api)'),
    ]);
  });
});

test('checks that the credentials do not permit are unknown, and the check of the settings fails', async () => {
  for (const client of [ssm, ses, lambda]) client.reset();
  const denied = errorNamed('AccessDeniedException', 'Not you.');
  ssm.on(GetParameterCommand).rejects(denied);
  ses.on(GetEmailIdentityCommand).rejects(denied).on(GetAccountCommand).rejects(denied);
  lambda.on(GetAccountSettingsCommand).rejects(denied);
  cloudFormation.on(DescribeStacksCommand).rejects(denied);
  const line = (subject: string) =>
    `unknown  ${subject.padEnd(12)}  The credentials do not permit this check. Not you.`;
  const [bootstrap, stack, settings, ...others] = await faultsOf();
  expect([bootstrap, stack, ...others]).toEqual(
    ['bootstrap', 'stack', 'sender', 'mail quota', 'concurrency'].map(line),
  );
  expect(settings).toMatch(/^FAILED {3}settings .*cannot be read \(Not you\.\)\. To accept the changes, add/);
});

describe('a service that does not respond', () => {
  beforeEach(() => mock.timers.enable({ apis: ['setTimeout'] }));
  afterEach(() => mock.timers.reset());

  test('fails its check after ten seconds, while the others have finished', async () => {
    ses.on(GetAccountCommand).callsFake(never);
    ssm.on(GetParameterCommand).callsFake(never);
    let lines: string[] = [];
    void linesOf().then((printed) => {
      lines = printed;
    });
    await setImmediate();
    expect(lambda.calls()).toHaveLength(1);
    mock.timers.tick(10_000);
    await setImmediate();
    const text = (service: string) =>
      `${service} did not respond within 10 seconds. Check the region, the network and the proxy.`;
    expect(lines.filter((line) => !line.startsWith('ok '))).toEqual([
      `FAILED   bootstrap     ${text('SSM')}`,
      `FAILED   mail quota    ${text('SES')}`,
    ]);
  });
});

describe('npm run', () => {
  const folder = mkdtempSync(join(tmpdir(), 'stages-'));
  afterAll(() => rmSync(folder, { recursive: true }));

  const write = (more: object = {}) => {
    const listed = { mailSender: settings.mailSender, deletionProtection: false, ...more };
    writeFileSync(join(folder, 'test.json'), JSON.stringify(listed));
  };
  beforeEach(() => write());

  const run = async (
    command: DeployCommand,
    args: readonly string[],
    { confirms, exitCode = 0 }: { confirms?: boolean; exitCode?: number } = {},
  ) => {
    const calls: (readonly string[])[] = [];
    const questions: string[] = [];
    let printed = '';
    const print = (text: string) => {
      printed += text;
    };
    const ask = async (question: string) => {
      questions.push(question);
      return confirms === true;
    };
    const code = await main(command, args, {
      terminal: { canAsk: confirms !== undefined, ask, print, printError: print },
      runCdk: (cdk) => {
        calls.push(cdk);
        const [, output] = /--output (\S+)/.exec(cdk.join(' ')) ?? [];
        if (output) writeFileSync(join(output, 'DogService-test.template.json'), '{"Resources": {}}');
        return exitCode;
      },
      folder,
    });
    return { code, calls, printed, questions };
  };

  const ofTest = ['--stage', 'test'];

  describe('deploy', () => {
    test('prints the findings, and returns the exit code of the CDK', async () => {
      const { code, printed } = await run('deploy', ['--stage=test'], { exitCode: 7 });
      expect(code).toBe(7);
      expect(printed.trim().split('\n')).toEqual(await linesOf());
    });

    test.each([
      ['does not start the CDK if a check fails', [], lacksBootstrap, 1],
      ['only checks with --check', ['--check'], () => {}, 0],
      ['fails with --check if a check fails', ['--check'], lacksBootstrap, 1],
    ])('%s', async (_, more, prepare, code) => {
      prepare();
      expect(await run('deploy', [...ofTest, ...more], { confirms: true })).toMatchObject({
        code,
        calls: [],
        questions: [],
      });
    });

    describe('that changes a setting that the file does not list', () => {
      const question = ['Change these settings?'];
      beforeEach(() => returnsStack(deployedWith({ accessLogs: true })));

      test.each([
        ['asks, and deploys if the user agrees', [], { confirms: true }, 0, question],
        ['asks, and stops if the user declines', [], { confirms: false }, 1, question],
        ['stops without a terminal', [], {}, 1, []],
        ['does not ask with --accept-setting-changes', ['--accept-setting-changes'], {}, 0, []],
        ['fails with --check', ['--check'], { confirms: true }, 1, []],
      ])('%s', async (_, more, terminal, code, questions) => {
        const calls = code === 0 ? [['deploy', '-c', 'stage=test']] : [];
        const result = await run('deploy', [...ofTest, ...more], terminal);
        expect(result).toMatchObject({ code, calls, questions });
      });
    });

    describe('of a protected stage', () => {
      beforeEach(() => {
        write({ deletionProtection: true });
        const outputs = {
          ...stackOutputs(),
          Settings: JSON.stringify({ ...settings, deletionProtection: true }),
        };
        cloudFormation.on(DescribeStacksCommand).resolves(describedStack(outputs));
        database.on(DescribeTableCommand).resolves({});
        database.on(UpdateTableCommand).resolves({});
      });

      test('protects the tables after the deployment', async () => {
        const { code, printed } = await run('deploy', ofTest);
        expect(database.commandCalls(UpdateTableCommand)).toHaveLength(3);
        expect({ code, printed }).toEqual({
          code: 0,
          printed: expect.stringContaining('{"stack":"DogService-test","DogsTable":"protected now"'),
        });
      });

      test('does not protect them if the deployment fails', async () => {
        expect((await run('deploy', ofTest, { exitCode: 1 })).code).toBe(1);
        expect(database.calls()).toHaveLength(0);
      });

      test('states how to protect them if that fails', async () => {
        database.on(UpdateTableCommand).rejects(errorNamed('AccessDeniedException', 'Not you.'));
        const { code, printed } = await run('deploy', ofTest);
        expect(code).toBe(1);
        expect(printed).toMatch(/Not you\.\nThe deployment succeeded, .* Deploy again to turn it on\.\n$/);
      });
    });
  });

  const express = { expressDeployments: true };
  const context = ['-c', '@aws-cdk/core:flag=true'];

  test.each<[string, DeployCommand, string[], string[], object?]>([
    ['the stage', 'deploy', ['--stage=test'], []],
    ['all options of the CDK', 'deploy', ['--a', 'never', ...ofTest, '--o=x'], ['--a', 'never', '--o=x']],
    ["the CDK's own context", 'deploy', [...ofTest, ...context], context],
    [
      'the express mode with rollback if the stage permits it',
      'deploy',
      ofTest,
      ['--express', '--rollback'],
      express,
    ],
    ['no express mode', 'diff', ofTest, [], express],
    ['no express mode', 'destroy', ofTest, [], express],
  ])('passes %s to the CDK for %s', async (_, command, args, passed, more = {}) => {
    write(more);
    const { code, calls } = await run(command, args);
    expect({ code, calls }).toEqual({ code: 0, calls: [[command, '-c', 'stage=test', ...passed]] });
  });

  const setting = 'Set memoryMegabytes in stages/test.json, so that the next deployment uses it too.\n';
  const help = 'npm run deploy -- --stage <name> [options]';

  test.each<[DeployCommand, string[], string]>([
    ['deploy', [...ofTest, '-c', 'memoryMegabytes=1024'], setting],
    ['deploy', [...ofTest, '--context=memoryMegabytes=1024'], setting],
    ['diff', [...ofTest, '-c', 'memoryMegabytes=1024'], setting],
    ['deploy', [...ofTest, '-c', 'stage=prod'], 'Set --stage instead of the context value stage.'],
    ['deploy', [...ofTest, '--profile', 'x'], 'Set AWS_PROFILE instead of --profile'],
    ['deploy', [...ofTest, '--region', 'x'], 'Set AWS_REGION instead of --region'],
    ['deploy', [...ofTest, '--stage=test'], '--stage is set more than once. Name one stage.'],
    ['deploy', [], `The stage is missing.\n\n${help}`],
  ])('%s refuses the options %j', async (command, args, text) => {
    const printed = expect.stringContaining(text);
    expect(await run(command, args)).toMatchObject({ code: 2, calls: [], printed });
  });

  test('deploy refuses an unknown stage', async () => {
    const printed = expect.stringContaining('Did you mean "test"?');
    expect(await run('deploy', ['--stage', 'tests'])).toMatchObject({ code: 1, calls: [], printed });
  });

  test.each<DeployCommand>(['deploy', 'diff', 'destroy'])('%s --help prints the usage', async (command) => {
    const printed = expect.stringContaining(help.replace('deploy', command));
    expect(await run(command, ['--help'])).toMatchObject({ code: 0, calls: [], printed });
  });

  test('deploy reads the region from AWS_DEFAULT_REGION, as the CDK does', async () => {
    process.env.AWS_REGION = '';
    process.env.AWS_DEFAULT_REGION = 'eu-south-2';
    expect((await run('deploy', ofTest)).printed).toContain('ok       region        eu-south-2');
  });

  test('diff continues in spite of findings that concern only a deployment', async () => {
    lacksBootstrap();
    returnsStack(deployedWith({ accessLogs: true }));
    const { code, calls, printed } = await run('diff', ofTest);
    expect({ code, calls }).toEqual({ code: 0, calls: [['diff', '-c', 'stage=test']] });
    expect(printed).toContain('FAILED   bootstrap');
    expect(printed).toContain('accessLogs from true to false');
  });

  test.each<DeployCommand>(['deploy', 'destroy'])(
    '%s does not start without credentials',
    async (command) => {
      sts.on(GetCallerIdentityCommand).rejects(errorNamed('ExpiredToken'));
      const printed = expect.stringContaining('FAILED   credentials   The AWS credentials have expired.');
      expect(await run(command, ofTest)).toMatchObject({ code: 1, calls: [], printed });
    },
  );

  test.each([
    [
      'without credentials',
      () => sts.on(GetCallerIdentityCommand).rejects(errorNamed('CredentialsProviderError')),
    ],
    [
      'offline',
      () => sts.on(GetCallerIdentityCommand).rejects(errorNamed('Error', '', { code: 'ENOTFOUND' })),
    ],
  ])('diff shows %s what a first deployment would create', async (_, prepare) => {
    prepare();
    const { code, calls, printed } = await run('diff', [...ofTest, '--quiet'], { exitCode: 3 });
    expect(code).toBe(3);
    expect(calls).toEqual([
      ['diff', '-c', 'stage=test', '--quiet', '--template', expect.stringMatching(/empty\.json$/)],
    ]);
    expect(printed).toContain('This is what a first deployment would create:');
  });

  test('deploy synthesizes the template to see what a change of the TLS policy is combined with', async () => {
    write({ tlsPolicy: 'SecurityPolicy_TLS13_1_3_2025_09' });
    returnsStack(deployedWith());
    cloudFormation.on(GetTemplateCommand).resolves({ TemplateBody: '{"Resources": {}}' });
    const { code, calls, printed } = await run('deploy', ofTest);
    expect({ code, calls }).toEqual({
      code: 0,
      calls: [
        ['synth', '-c', 'stage=test', '--quiet', '--output', expect.any(String)],
        ['deploy', '-c', 'stage=test'],
      ],
    });
    expect(printed).toContain('ok       TLS policy    "" becomes "SecurityPolicy_TLS13_1_3_2025_09"');
    expect(await run('deploy', ofTest, { exitCode: 1 })).toMatchObject({
      code: 1,
      printed: expect.stringContaining('The template cannot be synthesized.'),
    });
  });

  test('destroy checks only the credentials and the region', async () => {
    lacksBootstrap();
    const { code, calls, printed } = await run('destroy', [...ofTest, '--force']);
    expect({ code, calls }).toEqual({ code: 0, calls: [['destroy', '-c', 'stage=test', '--force']] });
    expect(printed.trim().split('\n')).toHaveLength(2);
  });
});

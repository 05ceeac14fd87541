import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { mock } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { APIGatewayClient, GetAccountCommand as GetGatewayAccountCommand } from '@aws-sdk/client-api-gateway';
import { CloudFormationClient, DescribeStacksCommand, type Stack } from '@aws-sdk/client-cloudformation';
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
import { defaultSettings, type Settings } from '../../lib/settings.ts';
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
  returnsConcurrency(1000);
  gateway.on(GetGatewayAccountCommand).resolves({ cloudwatchRoleArn: 'arn:aws:iam::123456789012:role/logs' });
});

const linesOf = async (stage = stageWith()) => (await preflight(stage)).map(lineOf);

const faultsOf = async (stage?: Stage) => (await linesOf(stage)).filter((line) => !line.startsWith('ok '));

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
        expect(printed).toMatch(
          /Not you\.\nThe deployment succeeded, .* Run npx dogs tables protect --stack DogService-test\n$/,
        );
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
    ['deploy', [], `The stage is missing.\n\n${help}`],
    ['deploy', ['--stage', 'tests'], 'Did you mean "test"?'],
  ])('%s refuses the options %j', async (command, args, text) => {
    const printed = expect.stringContaining(text);
    expect(await run(command, args)).toMatchObject({ code: 1, calls: [], printed });
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

  test.each<DeployCommand>(['diff', 'destroy'])('%s does not start without credentials', async (command) => {
    sts.on(GetCallerIdentityCommand).rejects(errorNamed('ExpiredToken'));
    const printed = expect.stringContaining('FAILED   credentials   The AWS credentials have expired.');
    expect(await run(command, ofTest)).toMatchObject({ code: 1, calls: [], printed });
  });

  test('destroy checks only the credentials and the region', async () => {
    lacksBootstrap();
    const { code, calls, printed } = await run('destroy', [...ofTest, '--force']);
    expect({ code, calls }).toEqual({ code: 0, calls: [['destroy', '-c', 'stage=test', '--force']] });
    expect(printed.trim().split('\n')).toHaveLength(2);
  });
});
    ['deploy', [...ofTest, '--stage=test'], '--stage is set more than once. Name one stage.'],

import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { CloudFormationClient, DescribeStacksCommand } from '@aws-sdk/client-cloudformation';
import { RootConstruct } from 'constructs';
import { messageOf as messageOfFailure } from '../bin/cli/main.ts';
import { readOptions } from '../bin/start/options.ts';
import { gatewayResponses } from '../lambdas/contract/gateway-responses.ts';
import {
  AlreadyExists,
  KeyReused,
  RequestInProgress,
  TokenReused,
} from '../lambdas/domain/platform/errors.ts';
import { problemOf } from '../lambdas/http/problem.ts';
import { readSettings } from '../lib/settings.ts';
import { runInProcess, type TerminalOptions } from './support/command-line.ts';
import { mockClient } from './support/mock-client.ts';
import { withRemedy } from './support/remedy.ts';
import { describedStack, stackOutputs } from './support/stack-outputs.ts';

/**
 * The messages for users of the project, so that their wording can be reviewed. A message states what is wrong, and then what to
 * do. `test/cases/refused` contains the messages for invalid requests. Most tests provoke the errors by calling functions and commands.
 * The last tests collect messages from the source files.
 */

/** What to do after a test of a single message has failed. */
const review = 'If the new message is right, state it in test/messages.test.ts.';

/** Returns the message of the error that a function throws, or the detail of its problem. */
async function messageOf(cause: () => unknown): Promise<string> {
  try {
    await cause();
  } catch (error) {
    return (error as Error).message;
  }
  throw new Error('The function did not throw.');
}

describe('the detail of a problem', () => {
  test.each<[string, Error]>([
    [
      'A request with this Idempotency-Key is in progress. Wait for the number of seconds in Retry-After, then send the request again.',
      new RequestInProgress(7),
    ],
    [
      'This Idempotency-Key was already used for a different request. Send each new request with a new key.',
      new KeyReused(),
    ],
    [
      'The request body is invalid: /token was already used with a different next or frequency; use a new token for a new schedule.',
      new TokenReused(),
    ],
    [
      'The service failed unexpectedly. Report the X-Request-Id of this response to the operator.',
      new RangeError('A defect'),
    ],
  ])('is "%s"', (message, error) => {
    withRemedy(review, () => expect(problemOf(error).message).toBe(message));
  });
});

test('API Gateway responds to each error with the detail of its type', () => {
  expect(Object.fromEntries(gatewayResponses.map(({ type, detail }) => [type, detail]))).toEqual({
    UNAUTHORIZED:
      'The credentials are missing or wrong, or the request has an X-HTTP-Method-Override header. Send valid user credentials, and do not send this header.',
    ACCESS_DENIED:
      'These credentials do not allow this request. Use credentials that have permission for this request.',
    MISSING_AUTHENTICATION_TOKEN:
      'API Gateway does not support this method. Use a method that the path supports.',
    BAD_REQUEST_PARAMETERS:
      'The request parameters are malformed. Check them against the description of the operation.',
    BAD_REQUEST_BODY: 'The request body is malformed. Check it against the description of the operation.',
    UNSUPPORTED_MEDIA_TYPE: 'The request body must be JSON. Send it with Content-Type: application/json.',
    THROTTLED:
      'The service is receiving too many requests. Wait for the number of seconds in Retry-After, then send the request again.',
    QUOTA_EXCEEDED:
      'The request quota is exhausted. Wait for the number of seconds in Retry-After, then send the request again.',
    WAF_FILTERED:
      'The firewall blocked the request, for one of these reasons: too many requests came from your IP address, the request looks like an attack, or it has an X-HTTP-Method-Override header. Send fewer requests, and do not send this header.',
    AUTHORIZER_CONFIGURATION_ERROR:
      'The service could not check the credentials. The request had no effect. Wait for the number of seconds in Retry-After, then send it again.',
    AUTHORIZER_FAILURE:
      'The service could not check the credentials. The request had no effect. Wait for the number of seconds in Retry-After, then send it again.',
    INTEGRATION_FAILURE:
      'The service is overloaded or has failed. The request may have taken effect. Wait for the number of seconds in Retry-After. Before you send the request again, check whether it took effect.',
    INTEGRATION_TIMEOUT:
      'The service did not respond in time. The request may have taken effect. Before you send it again, check whether it took effect.',
  });
});

describe('the message of a setting', () => {
  const problemWith = (values: Record<string, unknown>) => {
    const { node } = new RootConstruct();
    for (const [name, value] of Object.entries(values)) node.setContext(name, value);
    return messageOf(() => readSettings(node));
  };

  test('begins with where to correct the settings', async () => {
    const [first] = (await problemWith({ stage: 'X' })).split('\n');
    expect(first).toBe(
      'Some settings are invalid. Correct them in "context" in cdk.json, or with the option -c name=value.',
    );
  });

  const arn = (service: string, resource: string) =>
    `must be an ARN such as arn:aws:${service}:us-east-1:123456789012:${resource}, or empty`;
  test.each<[string, Record<string, unknown>]>([
    ['Unknown setting "stgae". Did you mean "stage"?', { stgae: 'test' }],
    ['Unknown setting "dog".', { dog: 'rex' }],
    [
      'stage must be 1 to 16 lowercase letters and digits, beginning with a letter. Its value is "X".',
      { stage: 'X' },
    ],
    ['stage must be a string. Its value is 7.', { stage: 7 }],
    ['mailSender must be an email address. Its value is "rex".', { mailSender: 'rex' }],
    ['mailIdentity must be an email address or a domain, or empty. Its value is "-".', { mailIdentity: '-' }],
    [
      'mailIdentity must be mailSender, its domain or a parent domain. Its value is "b.example".',
      { mailSender: 'x@a.example', mailIdentity: 'b.example' },
    ],
    ['baseUrl must be an https URL without a trailing slash, or empty. Its value is "x".', { baseUrl: 'x' }],
    [
      'domainName must be a domain name in lowercase letters, or empty. Its value is "X".',
      { domainName: 'X' },
    ],
    [
      'certificateArn must be set if, and only if, domainName is set. Its value is "".',
      { domainName: 'dogs.example.org' },
    ],
    [`certificateArn ${arn('acm', 'certificate/<id>')}. Its value is "x".`, { certificateArn: 'x' }],
    [`encryptionKeyArn ${arn('kms', 'key/<id>')}. Its value is "x".`, { encryptionKeyArn: 'x' }],
    [`alarmTopicArn ${arn('sns', '<topic>')}. Its value is "x".`, { alarmTopicArn: 'x' }],
    [
      'alarmTopicArn must be set if monthlyBudgetDollars is not 0. Its value is "".',
      { monthlyBudgetDollars: 5 },
    ],
    [
      'corsOrigin must be an origin such as https://app.example, or *, or empty. Its value is "x".',
      { corsOrigin: 'x' },
    ],
    ['credentials must be a list of names. Its value is 7.', { credentials: 7 }],
    [
      'credentials must be names of 1 to 32 letters and digits, each beginning with a letter. Its value is "my-dogs".',
      { credentials: 'my-dogs' },
    ],
    ['credentials must not repeat a name. Its value is "a,a".', { credentials: 'a,a' }],
    [
      'credentials must have at most 10 names. Its value is "a,b,c,d,e,f,g,h,i,j,k".',
      { credentials: 'a,b,c,d,e,f,g,h,i,j,k' },
    ],
    ['deletionProtection must be true or false. Its value is "maybe".', { deletionProtection: 'maybe' }],
    ['purgeConcurrency must be a number. Its value is "many".', { purgeConcurrency: 'many' }],
    ['purgeConcurrency must be a whole number. Its value is 1.5.', { purgeConcurrency: 1.5 }],
    ['purgeConcurrency must be at least 1. Its value is 0.', { purgeConcurrency: 0 }],
    ['purgeConcurrency must be at most 10. Its value is 11.', { purgeConcurrency: 11 }],
    ['architecture must be arm64 or x86_64. Its value is "z80".', { architecture: 'z80' }],
    [
      'firewallRequestsPerAddress must be 0 or at least 10. Its value is 5.',
      { firewallRequestsPerAddress: 5 },
    ],
    ['releases must be allAtOnce or canary. Its value is "x".', { releases: 'x' }],
    [
      'tags must be name=value pairs, separated by commas, or an object with string values. Its value is 7.',
      { tags: 7 },
    ],
    ['tags must be name=value pairs, separated by commas. Its value is "team".', { tags: 'team' }],
    [
      'tags must have names of 1 to 128 characters and values of 1 to 256 characters. They can contain letters, digits, spaces and _ . : / = + - @. A name must not begin with "aws:". Its value is "team=dogs;".',
      { tags: 'team=dogs;' },
    ],
    [
      'logRetentionDays must be one of 1, 3, 5, 7, 14, 30, 60, 90, 120, 150, 180, 365, 400, 545, 731, 1096, 1827, 2192, 2557, 2922, 3288, 3653. Its value is 2.',
      { logRetentionDays: 2 },
    ],
  ])('is "%s"', async (message, values) => {
    const lines = (await problemWith(values)).split('\n').slice(1);
    withRemedy(review, () => expect(lines).toContain(`  ${message}`));
  });
});

describe('the message of a command', () => {
  const { env } = process;
  beforeAll(() => {
    process.env = { ...env };
    mockClient(CloudFormationClient)
      .rejects(new Error('Stack with id None does not exist'))
      .on(DescribeStacksCommand, { StackName: 'Dogs' })
      .resolves(describedStack(stackOutputs()));
  });
  afterAll(() => {
    process.env = env;
  });

  const commandList = '\nRun npx dogs --help for the commands.';
  const usage = (command: string) => `\nRun npx dogs ${command} --help for the usage.`;

  test.each<[string, string, TerminalOptions?]>([
    [`Unknown command 'usrs'. Did you mean users?${commandList}`, 'usrs'],
    [
      "Unknown command 'creat'. Did you mean create?\nRun npx dogs users --help for the commands.",
      'users creat',
    ],
    [`Unknown option '--jsn'. Did you mean --json?${usage('users list')}`, 'users list --jsn'],
    [`Unknown option '--force'.${usage('users list')}`, 'users list --force'],
    [`Option '--stack <name>' argument missing.${commandList}`, 'users list --stack'],
    [`Missing required argument 'client'.${usage('grants create')}`, 'grants create jane'],
    [`Too many arguments for 'get'. Expected 1 argument but got 2: rex, max.${usage('get')}`, 'get rex max'],
    [
      `Option '--limit <number>' argument 'x' is invalid. It must be a whole number from 1 to 999999.${usage('list')}`,
      'list --limit x',
    ],
    [
      `Option '--bark-handling <handling>' argument 'soon' is invalid. Allowed choices are sync, async.${usage('create')}`,
      'create rex --bark-handling soon',
    ],
    [
      `Command-argument value 'tcsh' is invalid for argument 'shell'. Allowed choices are zsh, bash, fish, powershell.${commandList}`,
      'complete tcsh',
    ],
    [
      '"bob:max" is not a valid name. A name has 1 to 64 characters: letters, digits, ., _, @, + and -.',
      'users create bob:max --reveal',
    ],
    [
      'The command prints a secret, and standard output is not a terminal. Add --reveal to print the secret anyway.',
      'users create bob',
    ],
    [
      'This revokes the access of the user "bob" and all grants of the user. Add --yes to confirm, because the command cannot ask without a terminal.',
      'users revoke bob',
    ],
    ['Nothing was changed.', 'users revoke bob', { confirms: false }],
    [
      '"a.b" is not a valid ID for a dog. An ID has 1 to 40 characters: letters, digits, - and _.',
      'create a.b',
    ],
    ['--bark-effects must be one of emailDog, emailOwner, count, record.', 'create rex --bark-effects bite'],
    ['--email must be an email address.', 'create rex --email rex'],
    ['Unknown credential "dogs". The credentials setting contains: none.', 'credentials get dogs'],
    [
      'Unknown queue "BarkDql". Did you mean "BarkDlq"? The queues are: BarkDlq, MailFeedback.',
      'queues get BarkDql',
    ],
    [
      'The queue MailFeedback contains notifications, which no function processes. Read them with "npx dogs queues get".',
      'queues redrive MailFeedback',
    ],
    [
      'Unknown table "dog". Did you mean "dogs"? The tables are: dogs, barks, access.',
      'tables fill dog dogs-2',
    ],
    ['dogs-1 is the table to fill. Name another table to copy from.', 'tables fill dogs dogs-1'],
    [
      'The stack None cannot be read. Check your AWS credentials and AWS_REGION. Stack with id None does not exist',
      'users list --stack None',
    ],
  ])('is %j', async (...[message, args, terminal]) => {
    const stack = args.includes('--stack') ? [] : ['--stack', 'Dogs'];
    const { stdout, stderr } = await runInProcess([...args.split(' '), ...stack], terminal);
    withRemedy(review, () => expect([stdout, stderr]).toEqual(['', `${message}\n`]));
  });

  test('about a name that is taken names the command that replaces the secret', () => {
    const messages = (['user', 'client', 'grant'] as const).map((kind) =>
      messageOfFailure(new AlreadyExists(kind, 'jane')),
    );
    expect(messages).toEqual([
      'The user "jane" already exists. Replace its password with "npx dogs users rotate".',
      'The client "jane" already exists. Replace its secret with "npx dogs clients rotate".',
      'The grant "jane" already exists. Replace its refresh token with "npx dogs grants rotate".',
    ]);
  });
});

describe('the message of npm start', () => {
  const { env } = process;
  afterEach(() => {
    process.env = env;
  });

  test.each<[string, readonly string[], Record<string, string>]>([
    [
      'Unknown option "--contxt". Did you mean "--context"? Run npm start -- --help for a list of the options.',
      ['--contxt'],
      {},
    ],
    ['Unknown option "--port". Run npm start -- --help for a list of the options.', ['--port', '4000'], {}],
    ["Unexpected argument 'stage=x'. Run npm start -- --help for a list of the options.", ['stage=x'], {}],
    ['PORT must be a number from 0 to 65535, not "dog".', [], { PORT: 'dog' }],
    ['CONCURRENT_EXECUTIONS must be a positive whole number, not "0".', [], { CONCURRENT_EXECUTIONS: '0' }],
  ])('is "%s"', async (message, args, variables) => {
    process.env = { ...env, ...variables };
    const actual = await messageOf(() => readOptions(args));
    withRemedy(review, () => expect(actual).toBe(message));
  });
});

describe('the messages of errors', () => {
  const project = resolve(import.meta.dirname, '..');

  /** Returns the message texts of all `new errorClass(…)` calls in a folder, sorted by file. */
  function textsOf(folder: string, errorClass: string): string[] {
    const files = readdirSync(join(project, folder), { recursive: true, encoding: 'utf8' });
    const pattern = new RegExp(
      `new ${errorClass}\\(\\s*(?:'((?:[^'\\\\]|\\\\.)*)'|\`((?:[^\`\\\\]|\\\\.)*)\`)`,
      'g',
    );
    return files
      .filter((name) => name.endsWith('.ts'))
      .sort()
      .flatMap((name) => [...readFileSync(join(project, folder, name), 'utf8').matchAll(pattern)])
      .map(([, quoted, template]) => quoted ?? template ?? '');
  }

  test.each([
    ['local', 'UserError'],
    ['bin', 'UserError'],
    ['bin', 'UsageError'],
    ['bin', 'CommandFailed'],
    ['bin', 'CannotRedrive'],
    ['lambdas', 'Unavailable'],
    ['lambdas', 'MailNotSent'],
    ['lambdas', 'MailRefused'],
    ['lambdas', 'ScheduleRefused'],
    ['lambdas', 'TooLate'],
    ['lambdas', 'InvalidClient'],
    ['lambdas', 'InvalidGrant'],
    ['lambdas', 'UnsupportedGrantType'],
  ])('in %s/ of the class %s match the snapshot', (folder, errorClass) => {
    const texts = textsOf(folder, errorClass);
    withRemedy(`End each of these messages in ${folder}/ with a period.`, () => {
      expect(texts.filter((text) => !/[.}]$/.test(text))).toEqual([]);
    });
    withRemedy('Review each changed message. Then run npm run test:unit -- -u test/messages', () => {
      expect(texts.join('\n')).toMatchSnapshot();
    });
  });
});

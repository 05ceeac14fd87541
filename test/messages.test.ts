import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { CloudFormationClient, DescribeStacksCommand } from '@aws-sdk/client-cloudformation';
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

test.each([
  [
    'Unknown option "--contxt". Did you mean "--context"? Run npm start -- --help for a list of the options.',
    ['--contxt'],
  ],
  ['Unknown option "--port". Run npm start -- --help for a list of the options.', ['--port', '4000']],
  ['Unknown option "-x". Run npm start -- --help for a list of the options.', ['-x']],
  ["Option '--app <value>' argument missing. Run npm start -- --help for a list of the options.", ['--app']],
  [
    "Option '--json' does not take an argument. Run npm start -- --help for a list of the options.",
    ['--json=1'],
  ],
  ["Unexpected argument 'stage=x'. Run npm start -- --help for a list of the options.", ['stage=x']],
])('the message of npm start is "%s"', (message, args) => {
  withRemedy(review, () => expect(() => readOptions(args)).toThrow(expect.objectContaining({ message })));
});

describe('the messages of errors', () => {
  const project = resolve(import.meta.dirname, '..');

  /** Returns the message texts of all `errorClass(…)` calls in a folder, sorted by file. */
  function textsOf(folder: string, errorClass: string): string[] {
    const files = readdirSync(join(project, folder), { recursive: true, encoding: 'utf8' });
    const pattern = new RegExp(
      `\\b${errorClass}\\(\\s*(?:'((?:[^'\\\\]|\\\\.)*)'|\`((?:[^\`\\\\]|\\\\.)*)\`)`,
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
    ['local', 'InUseError'],
    ['bin', 'UserError'],
    ['bin', 'UsageError'],
    ['bin', 'CommandFailed'],
    ['bin', 'CannotRedrive'],
    ['bin/deploy', 'failed'],
    ['bin/deploy', 'note'],
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

import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { CloudFormationClient, DescribeStacksCommand } from '@aws-sdk/client-cloudformation';
import { readOptions } from '../bin/start/options.ts';
import { KeyReused, RequestInProgress } from '../lambdas/domain/barks/idempotency-record.ts';
import { TokenReused } from '../lambdas/domain/schedules/decisions.ts';
import { problemOf } from '../lambdas/http/problem.ts';
import { runInProcess } from './support/command-line.ts';
import { errorClasses } from './support/errors.ts';
import { mockClient } from './support/mock-client.ts';
import { withRemedy } from './support/remedy.ts';
import { describedStack, stackOutputs } from './support/stack-outputs.ts';

// Reviewers read the messages in the snapshot. `test/cases/refused` contains those for invalid requests.

function expectReviewed(messages: string | Readonly<Record<string, string>>): void {
  withRemedy('Review each changed message. Then run npm run test:unit -- -u test/messages', () => {
    expect(messages).toMatchSnapshot();
  });
}

test('the details of problems match the snapshot', () => {
  const errors = [new RequestInProgress(7), new KeyReused(), new TokenReused(), new RangeError('A defect')];
  expectReviewed(
    Object.fromEntries(errors.map((error) => [error.constructor.name, problemOf(error).message])),
  );
});

describe('the messages of commands', () => {
  beforeAll(() => {
    mockClient(CloudFormationClient)
      .rejects(new Error('Stack with id None does not exist'))
      .on(DescribeStacksCommand, { StackName: 'Dogs' })
      .resolves(describedStack(stackOutputs()));
  });

  const commands = [
    'usrs',
    'users creat',
    'users list --jsn',
    'users list --force',
    'users list --stack',
    'grants create jane',
    'get rex max',
    'list --limit x',
    'create rex --bark-handling soon',
    'complete tcsh',
    'users create bob:max --reveal',
    'users create bob',
    'users revoke bob',
    'create a.b',
    'credentials get dogs',
    'queues get BarkDql',
    'queues redrive MailFeedback',
    'tables fill dog dogs-2',
    'tables fill dogs dogs-1',
    'users list --stack None',
  ];

  test('match the snapshot', async () => {
    const messages: Record<string, string> = {};
    for (const args of commands) {
      const stack = args.includes('--stack') ? [] : ['--stack', 'Dogs'];
      const { stdout, stderr } = await runInProcess([...args.split(' '), ...stack]);
      expect([args, stdout]).toEqual([args, '']);
      messages[args] = stderr;
    }
    expectReviewed(messages);
  });
});

test('the messages of npm start match the snapshot', () => {
  const messageOf = (arg: string) => {
    try {
      return String(readOptions(arg.split(' ')));
    } catch (error) {
      return (error as Error).message;
    }
  };
  const args = ['--contxt', '--port 4000', '-x', '--app', '--json=1', 'stage=x'];
  expectReviewed(Object.fromEntries(args.map((arg) => [arg, messageOf(arg)])));
});

describe('the messages of errors', () => {
  const project = resolve(import.meta.dirname, '..');

  /**
   * Returns the message texts of all `errorClass(…)` calls in a folder, sorted by file. In `lambdas/`, a text that begins in lower case is
   * a name or a rule for a field.
   */
  function textsOf(folder: string, errorClass: string): string[] {
    const files = readdirSync(join(project, folder), { recursive: true, encoding: 'utf8' });
    const pattern = new RegExp(
      `\\b${errorClass}\\(\\s*(?:'\\w+',\\s*)?(?:'((?:[^'\\\\]|\\\\.)*)'|\`((?:[^\`\\\\]|\\\\.)*)\`)`,
      'g',
    );
    return files
      .filter((name) => name.endsWith('.ts'))
      .sort()
      .flatMap((name) => [...readFileSync(join(project, folder, name), 'utf8').matchAll(pattern)])
      .map(([, quoted, template]) => quoted ?? template ?? '')
      .filter((text) => !/^[a-z]/.test(text) || folder !== 'lambdas');
  }

  /** The classes of the functions' errors whose messages are not in the class itself. The row `super` has the others. */
  const thrown = Object.keys(errorClasses)
    .filter((name) => textsOf('lambdas', name).length > 0)
    .sort();

  test.each<[folder: string, errorClass: string]>([
    ['bin', 'UserError'],
    ['bin', 'UsageError'],
    ['bin', 'CommandFailed'],
    ['bin', 'CannotRedrive'],
    ['bin/deploy', 'failed'],
    ['bin/deploy', 'note'],
    ...thrown.map((name): [string, string] => ['lambdas', name]),
    ['lambdas', 'super'],
  ])('in %s/ of the class %s match the snapshot', (folder, errorClass) => {
    const texts = textsOf(folder, errorClass);
    withRemedy(`End each of these messages in ${folder}/ with a period.`, () => {
      expect(texts.filter((text) => !/[.}]$/.test(text))).toEqual([]);
    });
    expectReviewed(texts.join('\n'));
  });
});

import { DescribeStacksCommand } from '@aws-sdk/client-cloudformation';
import { GetSecretValueCommand } from '@aws-sdk/client-secrets-manager';
import { accessGroups } from '../../../bin/cli/tree/access.ts';
import { type CommandResult, runInProcess, sessionOf } from '../../support/command-line.ts';
import { useDatabase } from '../../support/database.ts';
import { describedStack } from '../../support/stack-outputs.ts';
import { commandRunner, namesOf } from './runner.ts';
import { cloudFormation, mockStack, secrets, secretsManager, stack } from './stack.ts';

useDatabase();

let outputs: Readonly<Record<string, string>>;

beforeEach(() => {
  outputs = mockStack();
});

const { ran, dogs, json, failure } = commandRunner('--stack', stack);

test('access create creates a user, a client, a grant and a credential, or replaces their secrets', async () => {
  const create = 'access create tester --credential dogs --reveal';
  const created = await json(create);
  expect(created).toEqual({
    base_url: outputs.BaseUrl,
    username: 'tester',
    password: expect.stringMatching(/^[\w-]{43}$/),
    auth_url: outputs.BaseUrl,
    client_id: 'tester',
    client_secret: expect.stringMatching(/^[\w-]{43}$/),
    refresh_token: expect.stringMatching(/^[\w-]{43,}$/),
  });
  expect(await json('credentials get dogs --reveal')).toMatchObject({ access_token: 'access' });
  expect(await failure(create)).toMatch(/^1: The user "tester" already exists\./);
  const replaced = await json(`${create} --replace --yes`);
  for (const name of ['password', 'client_secret', 'refresh_token'])
    expect(replaced[name]).not.toBe(created[name]);
});

test('keys are rotated, listed and shown', async () => {
  const { kid, signs_from } = await json('keys rotate');
  expect(signs_from).toEqual(expect.any(Number));
  expect(await json('keys list')).toContainEqual({ kid, alg: 'ES256', expires: null });
  const key = await json(`keys get ${kid}`);
  expect(key).toMatchObject({ kid, kty: 'EC', use: 'sig' });
  expect(key).not.toHaveProperty('d');
  expect(await failure('keys get none')).toMatch(/^1: There is no key "none"\. List the keys with/);
});

describe('credentials', () => {
  const input = {
    auth_url: 'https://auth.example',
    client_id: 'walker',
    client_secret: 'hidden',
    refresh_token: 'first',
  };

  test('are stored, listed, shown and moved', async () => {
    expect(await json('credentials put dogs', { input: JSON.stringify(input) })).toEqual({ stored: 'dogs' });
    const move = 'credentials move dogs https://auth.example https://new.example';
    const session = await sessionOf(
      dogs,
      'credentials list',
      'credentials get dogs --reveal',
      'credentials get dogs',
      move,
      move,
      'credentials get dog',
      'credentials get other',
    );
    expect(session).toMatchSnapshot();
    expect((await dogs('credentials get dogs', { isOutputTerminal: true })).stdout).not.toMatch(
      /: (access|refresh)$/m,
    );
  });

  test('are not moved to a URL that must not be used', async () => {
    expect(await failure('credentials move dogs https://auth.example http://new.example')).toBe(
      '2: The new auth_url must be an https URL, or a URL of this machine.',
    );
  });

  test.each([
    ['incomplete', JSON.stringify({ ...input, client_id: undefined })],
    ['not JSON', 'no JSON'],
    ['refused by the endpoint', JSON.stringify({ ...input, refresh_token: 'refused' })],
  ])('are refused if they are %s', async (_, text) => {
    expect(await failure('credentials put other', { input: text })).toMatchSnapshot();
  });
});

test('a new secret is printed on a terminal, with a notice to store it', async () => {
  const { code, stdout, stderr } = await dogs('access create ann', { isOutputTerminal: true });
  expect([code, stdout]).toEqual([0, expect.stringMatching(/^username: +ann\npassword: +[\w-]{43}\n/m)]);
  expect(stderr).toBe('Store the secret now. It will not be shown again.\n');
});

test('a command that invalidates something asks on a terminal, and changes nothing if it cannot ask or is refused', async () => {
  await json('access create jane --reveal');
  const replace = 'access create jane --replace --reveal';
  expect(await dogs(replace)).toMatchObject({ code: 2, stdout: '', questions: [] });
  const { code, stderr, questions } = await dogs(replace, { confirms: false });
  expect([code, stderr]).toEqual([1, 'Nothing was changed.\n']);
  expect(questions).toEqual([
    'This invalidates the password, the client secret and the refresh token of "jane". Continue?',
  ]);
  expect((await dogs(replace, { confirms: true })).code).toBe(0);
});

test('DOGS_STACK names the stack of a command without --stack', async () => {
  process.env.DOGS_STACK = stack;
  expect(await runInProcess(['keys', 'list'])).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(/^kid +alg /),
  });
  const { stderr } = await runInProcess(['keys', 'list', '--stack', 'Absent']);
  expect(stderr).toContain('The stack Absent cannot be read.');
  delete process.env.DOGS_STACK;
});

test('a command is refused if an option is set twice', async () => {
  const { code, stdout, stderr } = await runInProcess('keys list --stack A --stack A'.split(' '));
  expect([code, stdout]).toEqual([2, '']);
  expect(stderr).toContain('It is set more than once.');
});

describe('a stack that is not a complete dog service', () => {
  /** Runs a command on a stack that has only some of the outputs. */
  function runOn(
    names: readonly string[],
    args: string,
    status?: Parameters<typeof describedStack>[1],
  ): Promise<CommandResult> {
    const present = Object.fromEntries(names.map((name) => [name, outputs[name] ?? 'other']));
    cloudFormation
      .on(DescribeStacksCommand, { StackName: 'Other' })
      .resolves(describedStack(present, status));
    return runInProcess([...args.split(' '), '--stack', 'Other']);
  }

  test.each([
    ['CREATE_COMPLETE', 'Deploy it, or name another stack with --stack.'],
    ['CREATE_IN_PROGRESS', 'Try again when its deployment has finished.'],
    ['ROLLBACK_COMPLETE', 'Deploy it, or name another stack with --stack.'],
  ] as const)('is a failure in the state %s that names the missing outputs', async (status, advice) => {
    const present = Object.keys(outputs).filter((key) => key !== 'AccessTable' && key !== 'Queues');
    expect(await runOn(present, 'keys list', status)).toMatchObject({
      code: 1,
      stdout: '',
      stderr: `The stack Other (${status}) is not a complete dog service. Missing outputs: Queues, AccessTable. ${advice}\n`,
    });
  });
});

test.each<[string, string, string, RegExp]>([
  [
    'a deleted resource',
    'QueueDoesNotExist',
    'Gone.',
    /^1: A resource of the service does not exist: Gone\. Deploy/,
  ],
  [
    'a missing permission',
    'AccessDeniedException',
    'Not you.',
    /^1: Your AWS credentials .* this\. Not you\.$/,
  ],
  ['a defect, with its stack trace', 'TypeError', 'A defect', /^1: TypeError: A defect\n {4}at /],
])('a command explains %s', async (_, name, message, expected) => {
  secretsManager.on(GetSecretValueCommand).rejects(Object.assign(new TypeError(message), { name }));
  expect(await failure('credentials list')).toMatch(expected);
});

test.each([
  [
    { name: 'ValidationError', message: 'Not like this.', $metadata: {} },
    'A call to AWS failed. ValidationError: Not like this.',
  ],
  [
    { name: 'SyntaxError', message: "Unexpected token '<'\n  Deserialization error: …", $response: {} },
    "A response did not come from AWS: Unexpected token '<'. Check the network and the proxy.",
  ],
])('a command explains another error of the SDK: %j', async (error, message) => {
  secretsManager.on(GetSecretValueCommand).rejects(Object.assign(new Error(), error));
  expect(await failure('credentials list')).toBe(`1: ${message}`);
});

test('a command explains a secret that is not JSON, and does not show it', async () => {
  secrets.set('other-client', 'not JSON');
  expect(await failure('credentials list')).toBe(
    '1: The secret other-client is not JSON. Store its content again.',
  );
  secrets.delete('other-client');
});

test('a credential cannot move to a URL that is none', async () => {
  expect(await failure('credentials move dogs https://auth.example nowhere')).toMatch(
    /^2: The new auth_url must be/,
  );
});

test('the tests of this file run every command', () => {
  expect([...ran].sort()).toEqual(namesOf({ groups: accessGroups }).sort());
});

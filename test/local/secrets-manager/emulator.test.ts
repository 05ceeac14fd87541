import { copyFileSync, mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import {
  CreateSecretCommand,
  type CreateSecretCommandInput,
  DescribeSecretCommand,
  GetSecretValueCommand,
  type GetSecretValueCommandInput,
  ListSecretsCommand,
  PutSecretValueCommand,
  type PutSecretValueCommandInput,
  SecretsManagerClient,
} from '@aws-sdk/client-secrets-manager';
import { SecretsManagerEmulator } from '../../../local/secrets-manager/emulator.ts';
import { arn, secretArn } from '../../../local/template/arns.ts';
import { Template } from '../../../local/template/template.ts';
import { serve } from '../../support/local-aws.ts';
import { ManualClock } from '../../support/manual-clock.ts';

const root = mkdtempSync(join(tmpdir(), 'secrets-'));
afterAll(() => rmSync(root, { recursive: true }));

const noon = '2026-11-21T12:00:00Z';
const hour = 60 * 60_000;

/** Returns the ID of a version, which is a client request token. */
const id = (letter: string) => letter.repeat(32);

const secrets = {
  Empty: { Name: 'dogs/token', Description: 'A refresh token' },
  Given: { Name: 'given', SecretString: 'wau' },
  Made: { Name: 'made', GenerateSecretString: { ExcludePunctuation: true } },
  Nameless: { SecretString: 'x' },
};

function templateOf(properties: Record<string, object>): Template {
  const resources = Object.entries(properties).map(([logicalId, Properties]) => [
    logicalId,
    { Type: 'AWS::SecretsManager::Secret', Properties },
  ]);
  return new Template({ Resources: Object.fromEntries(resources) }, 'Stack');
}

let directory: string;
let clock: ManualClock;
let opened: (() => void)[];
beforeEach(() => {
  directory = mkdtempSync(join(root, 'data-'));
  clock = new ManualClock(noon);
  opened = [];
});
afterEach(stopAll);

function stopAll(): void {
  for (const stop of opened.splice(0)) stop();
}

/** Opens the emulator at an endpoint, and returns an SDK client that calls it. */
async function open(properties: Record<string, object> = secrets, file = join(directory, 'secrets.sqlite')) {
  const emulator = new SecretsManagerEmulator(templateOf(properties), file, { clock });
  const { endpoint, configuration } = await serve('secretsmanager', emulator.serve);
  const client = new SecretsManagerClient(configuration);
  opened.push(() => {
    emulator.stop();
    endpoint.close();
    client.destroy();
  });
  return {
    emulator,
    client,
    create: (input: CreateSecretCommandInput) => client.send(new CreateSecretCommand(input)),
    get: (input: Partial<GetSecretValueCommandInput> = {}) =>
      client.send(new GetSecretValueCommand({ SecretId: 'dogs/token', ...input })),
    put: (ClientRequestToken: string, value: Partial<PutSecretValueCommandInput> | string) =>
      client.send(
        new PutSecretValueCommand({
          SecretId: 'dogs/token',
          ClientRequestToken,
          ...(typeof value === 'string' ? { SecretString: value } : value),
        }),
      ),
    describe: (SecretId = 'dogs/token') => client.send(new DescribeSecretCommand({ SecretId })),
  };
}

const notFound = (what: string) => ({
  name: 'ResourceNotFoundException',
  message: `Secrets Manager can't find the specified ${what}`,
  $metadata: { httpStatusCode: 400 },
});
const noCurrent = notFound('secret value for staging label: AWSCURRENT');

describe('A secret of the template', () => {
  test('without a value has no version', async () => {
    const { get, describe } = await open();
    const { $metadata, ...secret } = await describe();
    expect(secret).toEqual({
      ARN: secretArn('dogs/token'),
      Name: 'dogs/token',
      Description: 'A refresh token',
      CreatedDate: new Date(noon),
      LastChangedDate: new Date(noon),
    });
    await expect(get()).rejects.toMatchObject(noCurrent);
  });

  test.each([
    ['given', 'given', /^wau$/],
    ['generated', 'made', /^[a-zA-Z0-9]{32}$/],
    ['given, and a name that is not', 'Stack-Nameless', /^x$/],
  ])('can have a value that is %s', async (_, Name, expected) => {
    const { get } = await open();
    expect(await get({ SecretId: Name })).toMatchObject({
      ARN: secretArn(Name),
      Name,
      VersionId: expect.stringMatching(/^[0-9a-f-]{36}$/),
      VersionStages: ['AWSCURRENT'],
      SecretString: expect.stringMatching(expected),
      CreatedDate: new Date(noon),
    });
  });

  test('keeps its value after a restart, even if the template has a different value', async () => {
    const before = await open();
    await before.put(id('a'), 'token');
    const [token, made] = [await before.get(), await before.get({ SecretId: 'made' })];
    stopAll();
    await clock.advance(hour);
    const { Made } = secrets;
    const after = await open({ Made, Empty: { ...secrets.Empty, SecretString: 'from the template' } });
    expect(await after.get()).toMatchObject({ ...token, $metadata: {} });
    expect(await after.get({ SecretId: 'made' })).toMatchObject({ ...made, $metadata: {} });
    expect(await after.get({ SecretId: 'given' })).toMatchObject({ SecretString: 'wau' });
  });

  test.each<[object, string]>([
    [
      { GenerateSecretString: { IncludeSpace: true } },
      'does not support the GenerateSecretString setting IncludeSpace',
    ],
    [
      { SecretString: 'a', GenerateSecretString: {} },
      'cannot have both a SecretString and a GenerateSecretString.',
    ],
    [{ Name: 'a b' }, 'Invalid name.'],
    [{ SecretString: 'a'.repeat(65_537) }, 'Member must have length less than or equal to 65536'],
  ])('causes an error with its logical ID if it is invalid: %#', async (properties, message) => {
    const broken = open({ Broken: properties });
    await expect(broken).rejects.toThrow('Broken: ');
    await expect(broken).rejects.toThrow(message);
  });
});

describe('A secret can be found by', () => {
  const start = arn('secretsmanager', 'secret:');
  test.each([
    ['its name', 'given'],
    ['its ARN', secretArn('given')],
    ['its ARN without the suffix', `${start}given`],
  ])('%s', async (_, SecretId) => {
    const { get } = await open();
    expect(await get({ SecretId })).toMatchObject({ Name: 'given', SecretString: 'wau' });
  });

  test.each([
    ['another name', 'cats'],
    ['another suffix', `${start}given-abcdef`],
    ['its name and suffix', secretArn('given').slice(start.length)],
    ['an ARN of another account', secretArn('given').replace(/\d{12}/, '123456789012')],
    ['the beginning of its name', 'give'],
  ])('nothing else, such as %s', async (_, SecretId) => {
    const { get, describe, put } = await open();
    const gone = notFound('secret.');
    await expect(get({ SecretId })).rejects.toMatchObject(gone);
    await expect(describe(SecretId)).rejects.toMatchObject(gone);
    await expect(put(id('a'), { SecretId, SecretString: 'x' })).rejects.toMatchObject(gone);
  });
});

describe('PutSecretValue', () => {
  test('moves AWSCURRENT to the new version and AWSPREVIOUS to its predecessor', async () => {
    const { get, put, describe } = await open();
    const { $metadata, ...response } = await put(id('a'), 'one');
    expect(response).toEqual({
      ARN: secretArn('dogs/token'),
      Name: 'dogs/token',
      VersionId: id('a'),
      VersionStages: ['AWSCURRENT'],
    });
    await clock.advance(hour);
    await put(id('b'), 'two');
    expect(await get()).toMatchObject({
      VersionId: id('b'),
      SecretString: 'two',
      CreatedDate: new Date('2026-11-21T13:00:00Z'),
    });
    expect(await get({ VersionStage: 'AWSPREVIOUS' })).toMatchObject({
      VersionId: id('a'),
      VersionStages: ['AWSPREVIOUS'],
      SecretString: 'one',
      CreatedDate: new Date(noon),
    });
    expect(await describe()).toMatchObject({
      LastChangedDate: new Date('2026-11-21T13:00:00Z'),
      VersionIdsToStages: { [id('a')]: ['AWSPREVIOUS'], [id('b')]: ['AWSCURRENT'] },
    });
  });

  test('accepts binary values', async () => {
    const { get, put } = await open();
    const SecretBinary = Uint8Array.from({ length: 256 }, (_, byte) => byte);
    await put(id('a'), { SecretBinary });
    const response = await get();
    expect(response.SecretBinary).toEqual(SecretBinary);
    expect(response.SecretString).toBeUndefined();
  });

  test('accepts 65,536 bytes', async () => {
    const { get, put } = await open();
    const SecretString = `"\\\u0000\n€🐶${'ä'.repeat(32_762)}`;
    expect(Buffer.byteLength(SecretString)).toBe(65_535);
    await put(id('a'), `${SecretString}!`);
    expect((await get()).SecretString).toBe(`${SecretString}!`);
  });

  test('creates a version ID if the client sends none', async () => {
    const { client, get } = await open();
    await client.send(new PutSecretValueCommand({ SecretId: 'dogs/token', SecretString: 'one' }));
    expect(await get()).toMatchObject({
      VersionId: expect.stringMatching(/^[0-9a-f-]{36}$/),
      SecretString: 'one',
    });
  });

  test('moves the stages of the request to the new version', async () => {
    const { get, put, describe } = await open();
    await put(id('a'), 'one');
    expect(await put(id('b'), { SecretString: 'two', VersionStages: ['next'] })).toMatchObject({
      VersionStages: ['next'],
    });
    expect(await get()).toMatchObject({ SecretString: 'one' });
    await put(id('c'), { SecretString: 'three', VersionStages: ['next', 'AWSCURRENT'] });
    expect((await describe()).VersionIdsToStages).toEqual({
      [id('a')]: ['AWSPREVIOUS'],
      [id('c')]: ['AWSCURRENT', 'next'],
    });
  });

  test('gives AWSCURRENT to the first version, even with other stages', async () => {
    const { put } = await open();
    expect(await put(id('a'), { SecretString: 'one', VersionStages: ['next'] })).toMatchObject({
      VersionStages: ['AWSCURRENT', 'next'],
    });
  });

  test('creates a version that is found by its ID and its stages', async () => {
    const { get, put } = await open();
    await put(id('a'), 'one');
    await put(id('b'), 'two');
    const VersionId = id('a');
    expect(await get({ VersionId })).toMatchObject({ SecretString: 'one' });
    expect(await get({ VersionId, VersionStage: 'AWSPREVIOUS' })).toMatchObject({ SecretString: 'one' });
    await expect(get({ VersionId, VersionStage: 'AWSCURRENT' })).rejects.toMatchObject({
      name: 'InvalidRequestException',
      message: 'You provided a VersionStage that is not associated to the provided VersionId.',
    });
    await expect(get({ VersionId: id('c') })).rejects.toMatchObject(
      notFound(`secret value for VersionId: ${id('c')}`),
    );
    await expect(get({ VersionStage: 'next' })).rejects.toMatchObject(
      notFound('secret value for staging label: next'),
    );
  });
});

describe('A repeated PutSecretValue', () => {
  test('with the same token returns the same version', async () => {
    const { put, describe } = await open();
    const { $metadata: _, ...first } = await put(id('a'), 'one');
    await clock.advance(hour);
    expect(await put(id('a'), 'one')).toMatchObject(first);
    expect(await describe()).toMatchObject({
      LastChangedDate: new Date(noon),
      VersionIdsToStages: { [id('a')]: ['AWSCURRENT'] },
    });
  });

  test.each<[string, Partial<PutSecretValueCommandInput>]>([
    ['another value', { SecretString: 'two' }],
    ['the same value in bytes', { SecretBinary: Buffer.from('one') }],
  ])('with the same token, but as %s, is refused', async (_, value) => {
    const { get, put } = await open();
    await put(id('a'), 'one');
    await expect(put(id('a'), value)).rejects.toMatchObject({
      name: 'ResourceExistsException',
      message: `You can't use ClientRequestToken ${id('a')} because that value is already in use for a version of secret ${secretArn('dogs/token')}.`,
      $metadata: { httpStatusCode: 400 },
    });
    expect(await get()).toMatchObject({ SecretString: 'one' });
  });

  test('has no effect for a day, and creates a version after that day', async () => {
    const { get, put } = await open();
    const letters = ['a', 'b', 'c'];
    for (const letter of letters) await put(id(letter), letter);
    await clock.advance(24 * hour);
    expect(await put(id('a'), 'a')).toMatchObject({ VersionId: id('a'), VersionStages: [] });
    expect(await get()).toMatchObject({ SecretString: 'c' });
    await clock.advance(1);
    await put(id('d'), 'd');
    for (const letter of ['a', 'b'])
      await expect(get({ VersionId: id(letter) })).rejects.toMatchObject({
        name: 'ResourceNotFoundException',
      });
    expect(await get({ VersionStage: 'AWSPREVIOUS' })).toMatchObject({ SecretString: 'c' });
  });
});

test('Concurrent calls of PutSecretValue all succeed, and one value is current', async () => {
  const { get, put, describe } = await open();
  const letters = [...'abcdefgh'];
  await Promise.all(letters.map((letter) => put(id(letter), letter)));
  for (const letter of letters)
    expect(await get({ VersionId: id(letter) })).toMatchObject({ SecretString: letter });
  const stages = Object.values((await describe()).VersionIdsToStages ?? {});
  expect(stages.flat().sort()).toEqual(['AWSCURRENT', 'AWSPREVIOUS']);
});

describe('CreateSecret', () => {
  test('creates the secret of the request', async () => {
    const { create, get, describe } = await open();
    const { $metadata, ...response } = await create({
      Name: 'new',
      Description: 'New',
      SecretString: 'one',
      ClientRequestToken: id('a'),
    });
    expect(response).toEqual({ ARN: secretArn('new'), Name: 'new', VersionId: id('a') });
    expect(await get({ SecretId: 'new' })).toMatchObject({ SecretString: 'one', VersionId: id('a') });
    expect(await describe('new')).toMatchObject({ Description: 'New' });
  });

  test('accepts a request without a value', async () => {
    const { create, get } = await open();
    expect((await create({ Name: 'new' })).VersionId).toBeUndefined();
    await expect(get({ SecretId: 'new' })).rejects.toMatchObject(noCurrent);
  });

  test('can be repeated with the same token and value, but not with different ones', async () => {
    const { create } = await open();
    const request = { Name: 'new', SecretString: 'one', ClientRequestToken: id('a') };
    const { $metadata: _, ...first } = await create(request);
    expect(await create(request)).toMatchObject(first);
    for (const change of [{ SecretString: 'two' }, { ClientRequestToken: id('b') }])
      await expect(create({ ...request, ...change })).rejects.toMatchObject({
        name: 'ResourceExistsException',
        message: 'The operation failed because the secret new already exists.',
      });
    await expect(create({ Name: 'given' })).rejects.toMatchObject({ name: 'ResourceExistsException' });
  });

  test.each(['', 'a b', 'a:b', 'a'.repeat(513), 'ä'])('refuses the name "%s"', async (Name) => {
    const { create } = await open();
    await expect(create({ Name })).rejects.toMatchObject({
      name: 'ValidationException',
      message: expect.stringContaining('Invalid name.'),
    });
  });
});

describe('PutSecretValue is refused and changes nothing if the request has', () => {
  test.each<[string, Partial<PutSecretValueCommandInput>, string, string]>([
    ['no value', {}, 'InvalidRequestException', 'You must provide either SecretString or SecretBinary.'],
    [
      'an empty value',
      { SecretString: '' },
      'InvalidRequestException',
      'You must provide either SecretString or SecretBinary.',
    ],
    [
      'two values',
      { SecretString: 'x', SecretBinary: Buffer.from('x') },
      'InvalidParameterException',
      "You can't specify both a binary secret value and a string secret value",
    ],
    [
      'a value of 65,537 bytes',
      { SecretString: 'ä'.repeat(32_769) },
      'ValidationException',
      "Value at 'secretString' failed to satisfy constraint",
    ],
    [
      '65,537 bytes',
      { SecretBinary: Buffer.alloc(65_537) },
      'ValidationException',
      "Value at 'secretBinary' failed to satisfy constraint",
    ],
    ...['x'.repeat(31), 'x'.repeat(65)].map(
      (ClientRequestToken): [string, Partial<PutSecretValueCommandInput>, string, string] => [
        `a token of ${ClientRequestToken.length} characters`,
        { SecretString: 'x', ClientRequestToken },
        'InvalidParameterException',
        'ClientRequestToken must be 32-64 characters long.',
      ],
    ),
    [
      'no token',
      { SecretString: 'x', ClientRequestToken: '' },
      'InvalidRequestException',
      'You must provide a ClientRequestToken value.',
    ],
    [
      'no stages',
      { SecretString: 'x', VersionStages: [] },
      'InvalidParameterException',
      'VersionStages must contain from 1 to 20 staging labels.',
    ],
    [
      'no secret',
      { SecretString: 'x', SecretId: '' },
      'InvalidParameterException',
      'You must provide a SecretId.',
    ],
  ])('%s', async (_, value, name, message) => {
    const { put, get } = await open();
    await expect(put(id('a'), value)).rejects.toMatchObject({
      name,
      message: expect.stringContaining(message),
      $metadata: { httpStatusCode: 400 },
    });
    await expect(get()).rejects.toMatchObject(noCurrent);
  });
});

test('An unknown action is refused', async () => {
  const { client } = await open();
  await expect(client.send(new ListSecretsCommand({}))).rejects.toMatchObject({
    name: 'UnknownOperationException',
    message: 'The local cloud does not support the Secrets Manager operation ListSecrets.',
  });
});

describe('On disk', () => {
  test('only the owner can read the files', async () => {
    const { put } = await open();
    await put(id('a'), 'one');
    const files = readdirSync(directory);
    expect(files).toHaveLength(3);
    for (const file of files) expect(statSync(join(directory, file)).mode & 0o777).toBe(0o600);
  });

  test('a value is written before the response', async () => {
    const { put } = await open();
    await put(id('a'), 'one');
    await put(id('b'), 'two');
    for (const suffix of ['', '-wal'])
      copyFileSync(join(directory, `secrets.sqlite${suffix}`), join(directory, `killed${suffix}`));
    const after = await open(secrets, join(directory, 'killed'));
    expect(await after.get()).toMatchObject({ VersionId: id('b'), SecretString: 'two' });
    expect(await after.get({ VersionStage: 'AWSPREVIOUS' })).toMatchObject({ SecretString: 'one' });
  });

  test('PutSecretValue is atomic', async () => {
    const { get, put } = await open();
    await put(id('a'), 'one');
    const store = new DatabaseSync(join(directory, 'secrets.sqlite'));
    store.exec("CREATE TRIGGER full BEFORE UPDATE ON secrets BEGIN SELECT RAISE(ABORT, 'disk full'); END");
    await expect(put(id('b'), 'two')).rejects.toMatchObject({ $metadata: { httpStatusCode: 503 } });
    expect(await get()).toMatchObject({ VersionId: id('a'), VersionStages: ['AWSCURRENT'] });
    store.exec('DROP TRIGGER full');
    store.close();
    await put(id('b'), 'two');
    expect(await get()).toMatchObject({ VersionId: id('b'), SecretString: 'two' });
  });
});

import * as sdk from '@aws-sdk/client-secrets-manager';
import { SecretsManagerEmulator } from '../../../local/secrets-manager/emulator.ts';
import { arn, secretArn } from '../../../local/template/arns.ts';
import { Template } from '../../../local/template/template.ts';
import { type Call, conformance, exactly, type Send, type Step, sender } from '../../support/conformance.ts';
import { useTestCloud } from '../../support/emulators.ts';

const noon = '2026-11-21T12:00:00Z';
const hour = 60 * 60_000;
const cloud = useTestCloud(noon);
const after = (milliseconds: number) => () => cloud.clock.advance(milliseconds);

const secrets = {
  Empty: { Name: 'dogs/token', Description: 'A refresh token' },
  Given: { Name: 'given', SecretString: 'wau' },
  Made: { Name: 'made', GenerateSecretString: { ExcludePunctuation: true } },
  Nameless: { SecretString: 'x' },
};

/** Opens the emulator of a template with secrets that have the given properties. */
async function open(properties: Record<string, object> = secrets): Promise<Send> {
  const resources = Object.entries(properties).map(([logicalId, Properties]) => [
    logicalId,
    { Type: 'AWS::SecretsManager::Secret', Properties },
  ]);
  const template = new Template({ Resources: Object.fromEntries(resources) }, 'Stack');
  const { clock } = cloud;
  const emulator = cloud.use(new SecretsManagerEmulator(template, cloud.file('secrets.sqlite'), { clock }));
  return sender(await cloud.client(sdk.SecretsManagerClient, 'secretsmanager', emulator.serve), sdk);
}

/** Returns the ID of a version, which is a client request token. */
const id = (letter: string) => letter.repeat(32);
const uuid = expect.stringMatching(/^[0-9a-f-]{36}$/);
const ARN = secretArn('dogs/token');

const got = (input: object, expected?: object): Call => [
  'GetSecretValue',
  { SecretId: 'dogs/token', ...input },
  expected,
];
const described = (expected: object): Call => ['DescribeSecret', { SecretId: 'dogs/token' }, expected];
const put = (letter: string, value: string | object, expected?: object): Call => [
  'PutSecretValue',
  {
    SecretId: 'dogs/token',
    ClientRequestToken: id(letter),
    ...(typeof value === 'string' ? { SecretString: value } : value),
  },
  expected,
];
const created = (input: object, expected?: object): Call => [
  'CreateSecret',
  { Name: 'new', ...input },
  expected,
];

const refusal = (name: string, message: string) => ({
  refused: name,
  message: expect.stringContaining(message),
  status: 400,
});
const notFound = (what: string) => ({
  ...refusal('ResourceNotFoundException', ''),
  message: `Secrets Manager can't find the specified ${what}`,
});
const noCurrent = notFound('secret value for staging label: AWSCURRENT');
const reused = (letter: string) => ({
  ...refusal('ResourceExistsException', ''),
  message: `You can't use ClientRequestToken ${id(letter)} because that value is already in use for a version of secret ${ARN}.`,
});
const exists = refusal(
  'ResourceExistsException',
  'The operation failed because the secret new already exists.',
);

/** Calls that are refused, and change nothing. */
const refused = (...calls: Call[]): Step[] => [...calls, got({}, noCurrent)];

const bytes = Uint8Array.from({ length: 256 }, (_, byte) => byte);
const maximal = `"\\\u0000\n€🐶${'ä'.repeat(32_762)}!`;
const start = arn('secretsmanager', 'secret:');

conformance('https://docs.aws.amazon.com/secretsmanager/latest/apireference/', open, {
  'A secret of the template without a value has no version': [
    described(
      exactly({
        ARN,
        Name: 'dogs/token',
        Description: 'A refresh token',
        CreatedDate: new Date(noon),
        LastChangedDate: new Date(noon),
      }),
    ),
    got({}, noCurrent),
  ],
  'A secret of the template can have a value that is given or generated': [
    ...(
      [
        ['given', /^wau$/],
        ['made', /^[a-zA-Z0-9]{32}$/],
        ['Stack-Nameless', /^x$/],
      ] as const
    ).map(([Name, value]) =>
      got(
        { SecretId: Name },
        exactly({
          ARN: secretArn(Name),
          Name,
          VersionId: uuid,
          VersionStages: ['AWSCURRENT'],
          SecretString: expect.stringMatching(value),
          CreatedDate: new Date(noon),
        }),
      ),
    ),
  ],
  'A secret is found by its name or its ARN, with or without the suffix': [
    'given',
    secretArn('given'),
    `${start}given`,
  ].map((SecretId) => got({ SecretId }, { Name: 'given', SecretString: 'wau' })),
  'A secret is not found by anything else': [
    'cats',
    `${start}given-abcdef`,
    secretArn('given').slice(start.length),
    secretArn('given').replace(/\d{12}/, '123456789012'),
    'give',
  ].flatMap((SecretId) => [
    got({ SecretId }, notFound('secret.')),
    ['DescribeSecret', { SecretId }, notFound('secret.')],
    put('a', { SecretId, SecretString: 'x' }, notFound('secret.')),
  ]),
  'PutSecretValue moves AWSCURRENT to the new version and AWSPREVIOUS to its predecessor': [
    put('a', 'one', exactly({ ARN, Name: 'dogs/token', VersionId: id('a'), VersionStages: ['AWSCURRENT'] })),
    after(hour),
    put('b', 'two'),
    got({}, { VersionId: id('b'), SecretString: 'two', CreatedDate: new Date('2026-11-21T13:00:00Z') }),
    got(
      { VersionStage: 'AWSPREVIOUS' },
      {
        VersionId: id('a'),
        VersionStages: ['AWSPREVIOUS'],
        SecretString: 'one',
        CreatedDate: new Date(noon),
      },
    ),
    described({
      LastChangedDate: new Date('2026-11-21T13:00:00Z'),
      VersionIdsToStages: { [id('a')]: ['AWSPREVIOUS'], [id('b')]: ['AWSCURRENT'] },
    }),
  ],
  'PutSecretValue accepts binary values': [
    put('a', { SecretBinary: bytes }),
    got(
      {},
      exactly({
        ARN,
        Name: 'dogs/token',
        VersionId: id('a'),
        VersionStages: ['AWSCURRENT'],
        SecretBinary: bytes,
        CreatedDate: new Date(noon),
      }),
    ),
  ],
  'PutSecretValue accepts 65,536 bytes': [put('a', maximal), got({}, { SecretString: maximal })],
  'PutSecretValue creates a version ID if the client sends none': [
    put('a', { SecretString: 'one', ClientRequestToken: undefined }),
    got({}, { VersionId: uuid, SecretString: 'one' }),
  ],
  'PutSecretValue moves the stages of the request to the new version': [
    put('a', 'one'),
    put('b', { SecretString: 'two', VersionStages: ['next'] }, { VersionStages: ['next'] }),
    got({}, { SecretString: 'one' }),
    put('c', { SecretString: 'three', VersionStages: ['next', 'AWSCURRENT'] }),
    described({ VersionIdsToStages: { [id('a')]: ['AWSPREVIOUS'], [id('c')]: ['AWSCURRENT', 'next'] } }),
  ],
  'PutSecretValue gives AWSCURRENT to the first version, even with other stages': [
    put('a', { SecretString: 'one', VersionStages: ['next'] }, { VersionStages: ['AWSCURRENT', 'next'] }),
  ],
  'GetSecretValue finds a version by its ID and its stages': [
    put('a', 'one'),
    put('b', 'two'),
    got({ VersionId: id('a') }, { SecretString: 'one' }),
    got({ VersionId: id('a'), VersionStage: 'AWSPREVIOUS' }, { SecretString: 'one' }),
    got(
      { VersionId: id('a'), VersionStage: 'AWSCURRENT' },
      refusal('InvalidRequestException', 'VersionStage that is not associated to the provided VersionId.'),
    ),
    got({ VersionId: id('c') }, notFound(`secret value for VersionId: ${id('c')}`)),
    got({ VersionStage: 'next' }, notFound('secret value for staging label: next')),
  ],
  'A repeat with the same token and value returns the same version': [
    put('a', 'one'),
    after(hour),
    put('a', 'one', exactly({ ARN, Name: 'dogs/token', VersionId: id('a'), VersionStages: ['AWSCURRENT'] })),
    described({ LastChangedDate: new Date(noon), VersionIdsToStages: { [id('a')]: ['AWSCURRENT'] } }),
  ],
  'A repeat with the same token and another value, or the same value in bytes, is refused': [
    put('a', 'one'),
    put('a', 'two', reused('a')),
    put('a', { SecretBinary: Buffer.from('one') }, reused('a')),
    got({}, { SecretString: 'one' }),
  ],
  'A repeat has no effect for a day, and creates a version after that day': [
    ...['a', 'b', 'c'].map((letter) => put(letter, letter)),
    after(24 * hour),
    put('a', 'a', { VersionId: id('a'), VersionStages: [] }),
    got({}, { SecretString: 'c' }),
    after(1),
    put('d', 'd'),
    ...['a', 'b'].map((letter) => got({ VersionId: id(letter) }, { refused: 'ResourceNotFoundException' })),
    got({ VersionStage: 'AWSPREVIOUS' }, { SecretString: 'c' }),
  ],
  'Concurrent calls of PutSecretValue all succeed, and one value is current': [
    (send) => Promise.all([...'abcdefgh'].map((letter) => send('PutSecretValue', put(letter, letter)[1]))),
    ...[...'abcdefgh'].map((letter) => got({ VersionId: id(letter) }, { SecretString: letter })),
    async (send) => {
      const input = { SecretId: 'dogs/token' };
      const { VersionIdsToStages } = await send<sdk.DescribeSecretResponse>('DescribeSecret', input);
      expect(
        Object.values(VersionIdsToStages ?? {})
          .flat()
          .sort(),
      ).toEqual(['AWSCURRENT', 'AWSPREVIOUS']);
    },
  ],
  'CreateSecret creates the secret of the request': [
    created(
      { Description: 'New', SecretString: 'one', ClientRequestToken: id('a') },
      exactly({ ARN: secretArn('new'), Name: 'new', VersionId: id('a') }),
    ),
    got({ SecretId: 'new' }, { SecretString: 'one', VersionId: id('a') }),
    ['DescribeSecret', { SecretId: 'new' }, { Description: 'New' }],
  ],
  'CreateSecret accepts a request without a value': [
    created({}, exactly({ ARN: secretArn('new'), Name: 'new' })),
    got({ SecretId: 'new' }, noCurrent),
  ],
  'CreateSecret can be repeated with the same token and value, but not with different ones': [
    ...Array<Call>(2).fill(
      created(
        { SecretString: 'one', ClientRequestToken: id('a') },
        { ARN: secretArn('new'), VersionId: id('a') },
      ),
    ),
    created({ SecretString: 'two', ClientRequestToken: id('a') }, exists),
    created({ SecretString: 'one', ClientRequestToken: id('b') }, exists),
    created({ Name: 'given' }, { refused: 'ResourceExistsException' }),
  ],
  'CreateSecret refuses an invalid name': ['', 'a b', 'a:b', 'a'.repeat(513), 'ä'].map((Name) =>
    created({ Name }, refusal('ValidationException', 'Invalid name.')),
  ),
  'PutSecretValue refuses an invalid value': refused(
    put('a', {}, refusal('InvalidRequestException', 'You must provide either SecretString or SecretBinary.')),
    put('a', '', refusal('InvalidRequestException', 'You must provide either SecretString or SecretBinary.')),
    put(
      'a',
      { SecretString: 'x', SecretBinary: Buffer.from('x') },
      refusal('InvalidParameterException', "can't specify both a binary secret value and a string"),
    ),
    put('a', 'ä'.repeat(32_769), refusal('ValidationException', "Value at 'secretString' failed to satisfy")),
    put(
      'a',
      { SecretBinary: Buffer.alloc(65_537) },
      refusal('ValidationException', "Value at 'secretBinary' failed to satisfy"),
    ),
  ),
  'PutSecretValue refuses another invalid parameter': refused(
    ...['x'.repeat(31), 'x'.repeat(65)].map((ClientRequestToken) =>
      put(
        'a',
        { SecretString: 'x', ClientRequestToken },
        refusal('InvalidParameterException', 'ClientRequestToken must be 32-64 characters long.'),
      ),
    ),
    put(
      'a',
      { SecretString: 'x', ClientRequestToken: '' },
      refusal('InvalidRequestException', 'You must provide a ClientRequestToken value.'),
    ),
    put(
      'a',
      { SecretString: 'x', VersionStages: [] },
      refusal('InvalidParameterException', 'VersionStages must contain from 1 to 20 staging labels.'),
    ),
    put(
      'a',
      { SecretString: 'x', SecretId: '' },
      refusal('InvalidParameterException', 'You must provide a SecretId.'),
    ),
  ),
  'Another operation is refused': [
    ['ListSecrets', {}, refusal('UnknownOperationException', 'Secrets Manager operation ListSecrets.')],
  ],
});

test('A secret keeps its value after a restart, even if the template has a different value', async () => {
  const before = await open();
  await before(...(put('a', 'token') as [string, object]));
  const inputs = [{ SecretId: 'dogs/token' }, { SecretId: 'made' }];
  const values = await Promise.all(inputs.map((input) => before('GetSecretValue', input)));
  await cloud.stop();
  await cloud.clock.advance(hour);
  const { Made } = secrets;
  const after = await open({ Made, Empty: { ...secrets.Empty, SecretString: 'from the template' } });
  expect(await Promise.all(inputs.map((input) => after('GetSecretValue', input)))).toEqual(values);
  expect(await after('GetSecretValue', { SecretId: 'given' })).toMatchObject({ SecretString: 'wau' });
});

test.each<[object, string]>([
  [
    { GenerateSecretString: { IncludeSpace: true } },
    'not support the GenerateSecretString setting IncludeSpace',
  ],
  [
    { SecretString: 'a', GenerateSecretString: {} },
    'cannot have both a SecretString and a GenerateSecretString.',
  ],
  [{ Name: 'a b' }, 'Invalid name.'],
  [{ SecretString: 'a'.repeat(65_537) }, 'Member must have length less than or equal to 65536'],
])(
  'An invalid secret of the template causes an error with its logical ID: %#',
  async (properties, message) => {
    const broken = open({ Broken: properties });
    await expect(broken).rejects.toThrow('Broken: ');
    await expect(broken).rejects.toThrow(message);
  },
);

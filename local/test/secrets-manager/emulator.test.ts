import * as sdk from '@aws-sdk/client-secrets-manager';
import { SecretsManagerEmulator } from '../../secrets-manager/emulator.ts';
import { arn, secretArn } from '../../template/arns.ts';
import { Template } from '../../template/template.ts';
import { type Call, conformance, exactly, type Send, sender } from '../support/conformance.ts';
import { namesToStore, testDurability } from '../support/durability.ts';
import { useTestCloud } from '../support/emulators.ts';

const noon = '2026-11-21T12:00:00Z';
const hour = 60 * 60_000;
const cloud = useTestCloud(noon);
const after = (milliseconds: number) => () => cloud.clock.advance(milliseconds);

const secrets = { Token: { Name: 'dogs/token', Description: 'A refresh token' }, Nameless: {} };

async function open(properties: Record<string, object> = secrets): Promise<Send> {
  const resources = Object.entries(properties).map(([logicalId, Properties]) => [
    logicalId,
    { Type: 'AWS::SecretsManager::Secret', Properties },
  ]);
  const template = new Template({ Resources: Object.fromEntries(resources) }, 'Stack');
  const file = cloud.file('secrets.sqlite');
  const emulator = cloud.use(new SecretsManagerEmulator(template, file, cloud.clock));
  return sender(await cloud.client(sdk.SecretsManagerClient, 'secretsmanager', emulator.serve), sdk);
}

/** Returns the ID of a version, which is a client request token. */
const id = (letter: string) => letter.repeat(32);
const ARN = secretArn('dogs/token');

const got = (input: object, expected?: object): Call => [
  'GetSecretValue',
  { SecretId: 'dogs/token', ...input },
  expected,
];
const put = (letter: string, SecretString: string, expected?: object, more: object = {}): Call => [
  'PutSecretValue',
  { SecretId: 'dogs/token', ClientRequestToken: id(letter), SecretString, ...more },
  expected,
];

const refusal = (refused: string, message: string) => ({
  refused,
  message: expect.stringContaining(message),
  status: 400,
});
const notFound = (what: string) =>
  refusal('ResourceNotFoundException', `Secrets Manager can't find the specified ${what}`);
const noCurrent = notFound('secret value for staging label: AWSCURRENT');

const maximal = `"\\\u0000\n€🐶${'ä'.repeat(32_762)}!`;

conformance('https://docs.aws.amazon.com/secretsmanager/latest/apireference/', open, {
  'A secret of the template has no value at first': ['dogs/token', ARN, 'Stack-Nameless'].map((SecretId) =>
    got({ SecretId }, noCurrent),
  ),
  'A secret is found by its name or its ARN': [
    put('a', 'one', exactly({ ARN, Name: 'dogs/token', VersionId: id('a') })),
    after(hour),
    put('b', 'two', {}, { SecretId: ARN }),
    ...['dogs/token', ARN].map((SecretId) =>
      got(
        { SecretId },
        exactly({
          ARN,
          Name: 'dogs/token',
          VersionId: id('b'),
          VersionStages: ['AWSCURRENT'],
          SecretString: 'two',
          CreatedDate: new Date('2026-11-21T13:00:00Z'),
        }),
      ),
    ),
  ],
  'A secret is not found by anything else': [
    'cats',
    `${arn('secretsmanager', 'secret:')}dogs/token-abcdef`,
    ARN.replace(/\d{12}/, '123456789012'),
    'dogs/toke',
  ].flatMap((SecretId) => [
    got({ SecretId }, notFound('secret.')),
    put('a', 'x', notFound('secret.'), { SecretId }),
  ]),
  'A value can have 65,536 bytes': [
    put('a', maximal),
    got({}, { SecretString: maximal }),
    put('b', 'ä'.repeat(32_769), refusal('ValidationException', "Value at 'secretString' failed to satisfy")),
    put('b', '', refusal('InvalidRequestException', 'You must provide either SecretString or SecretBinary.')),
    got({}, { SecretString: maximal }),
  ],
  'A repeat with the same token has no effect for a day, and creates a version after that day': [
    put('a', 'one'),
    put('b', 'two'),
    after(24 * hour),
    put('a', 'one', { VersionId: id('a') }),
    put(
      'a',
      'other',
      refusal(
        'ResourceExistsException',
        `You can't use ClientRequestToken ${id('a')} because that value is already in use for a version of secret ${ARN}.`,
      ),
    ),
    got({}, { SecretString: 'two' }),
    after(1),
    put('c', 'three'),
    put('a', 'other'),
    got({}, { SecretString: 'other' }),
  ],
  'Anything else is refused': [
    ...[{ VersionId: id('a') }, { VersionStage: 'AWSPREVIOUS' }].map((input) =>
      got(input, refusal('InvalidParameterException', 'The local cloud does not support Version')),
    ),
    put('a', 'x', refusal('InvalidParameterException', 'does not support VersionStages'), {
      VersionStages: ['next'],
    }),
    put('a', 'x', refusal('InvalidParameterException', 'does not support SecretBinary'), {
      SecretBinary: Buffer.from('x'),
    }),
    ['ListSecrets', {}, refusal('UnknownOperationException', 'Secrets Manager operation ListSecrets.')],
  ],
});

testDurability(cloud, async () => {
  const send = await open(Object.fromEntries(namesToStore.map((Name) => [Name, { Name }])));
  return {
    write: (SecretId) => send('PutSecretValue', { SecretId, SecretString: SecretId }),
    has: async (SecretId) => (await send('GetSecretValue', { SecretId })).SecretString === SecretId,
  };
});

test('A secret keeps its value after a restart, even if the template no longer has it', async () => {
  const before = await open();
  await before(...(put('a', 'token') as [string, object]));
  await cloud.stop();
  const after = await open({});
  expect(await after('GetSecretValue', { SecretId: ARN })).toMatchObject({ SecretString: 'token' });
});

test.each([{ SecretString: 'a' }, { GenerateSecretString: {} }])(
  'A secret of the template with %j causes an error with its logical ID',
  async (properties) => {
    const [name] = Object.keys(properties);
    const message = `Broken: the local cloud does not support secrets with ${name}.`;
    await expect(open({ Broken: { Name: 'x', KmsKeyId: 'y', ...properties } })).rejects.toThrow(message);
  },
);

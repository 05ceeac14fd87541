import {
  GetSecretValueCommand,
  PutSecretValueCommand,
  type SecretsManagerClient,
} from '@aws-sdk/client-secrets-manager';
import { UserSecretsManager } from '../../support/user-secrets-manager.ts';
import { operatorAccess } from '../operator-access.ts';
import {
  exchange,
  launch,
  restart,
  run,
  runCommand,
  service,
  statusWith,
  temporaryDirectory,
} from '../support.ts';

const secrets = new UserSecretsManager();
const directory = temporaryDirectory();
let client: SecretsManagerClient;
let environment: Record<string, string>;

beforeAll(async () => {
  await secrets.listen();
  client = secrets.client();
  environment = {
    AWS_ENDPOINT_URL_SECRETS_MANAGER: secrets.url,
    AWS_ACCESS_KEY_ID: 'MYOWNKEY',
    AWS_SECRET_ACCESS_KEY: 'my own secret',
    AWS_REGION: secrets.region,
  };
  await restart(directory, { environment });
});

afterAll(() => {
  client.destroy();
  secrets.close();
});

/** Exchanges the refresh token that the first start created. @returns the status of a call with the access token */
async function useRefreshToken(): Promise<number> {
  return statusWith((await exchange(service.access)).token);
}

async function read(SecretId: string) {
  const { ARN, SecretString = '' } = await client.send(new GetSecretValueCommand({ SecretId }));
  return { arn: ARN, value: JSON.parse(SecretString) };
}

describe('The first start with a Secrets Manager of the user', () => {
  test('creates the signing key in it, and signs the calls with the user’s key', async () => {
    const { outputs } = operatorAccess(directory);
    const { arn, value } = await read(outputs.SigningKeySecret ?? '');
    expect(arn).toBe(outputs.SigningKeySecret);
    expect(value).toEqual([expect.objectContaining({ from: expect.any(Number) })]);
    for (const authorization of secrets.authorizations)
      expect(authorization).toMatch(
        /^AWS4-HMAC-SHA256 Credential=MYOWNKEY\/\d{8}\/eu-north-1\/secretsmanager\//,
      );
  });

  test('creates a client, whose refresh token yields an access token that works', async () => {
    expect(await useRefreshToken()).toBe(200);
  });

  test('stores a credential in it, which RefreshCredentials refreshes', async () => {
    const { outputs } = operatorAccess(directory);
    const [{ credential = '' } = {}] = JSON.parse(outputs.Credentials ?? '[]');
    const { value } = await read(credential);
    expect(value.refresh_token).toBe(service.access.refresh_token);
    const expired = JSON.stringify({ ...value, created: 0 });
    await client.send(new PutSecretValueCommand({ SecretId: credential, SecretString: expired }));
    const command = ['bin/invoke.ts', 'RefreshCredentials', 'events/RefreshCredentials.json'];
    const { code, stderr } = await run(process.execPath, command, { DATA_DIR: directory });
    expect([code, stderr]).toEqual([0, '']);
    expect((await read(credential)).value.created).toBeGreaterThan(Date.now() / 1000 - 60);
  });

  test('is used by the operator CLI', async () => {
    const { code, stdout } = await runCommand(directory, 'credentials', 'get', 'dogs', '--json');
    expect([code, JSON.parse(stdout).token_type]).toEqual([0, 'Bearer']);
  });
});

test('A later start finds the secrets, and the refresh token works', async () => {
  await service.stop();
  await restart(directory, { environment });
  expect(await useRefreshToken()).toBe(200);
});

test('A first start with a Secrets Manager that an earlier service has used creates a client that works', async () => {
  await service.stop();
  await restart(temporaryDirectory(), { environment });
  expect(await useRefreshToken()).toBe(200);
});

test('A start ends with a message that names the Secrets Manager if the Secrets Manager does not respond', async () => {
  const nowhere = 'http://127.0.0.1:9';
  const failed = launch(temporaryDirectory(), {
    environment: { ...environment, AWS_ENDPOINT_URL_SECRETS_MANAGER: nowhere },
  });
  expect(await failed.exited).toBe(1);
  expect(failed.output()).toContain(`The Secrets Manager endpoint ${nowhere} cannot be used. `);
});

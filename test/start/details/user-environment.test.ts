import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { eventually } from '@rest-actions/local-cloud/testing';
import { dogAt } from '../../support/client.ts';
import { client, exchange, restart, run, service, statusWith, temporaryDirectory } from '../support.ts';

/** Settings of the AWS SDK, each of which makes a client call another endpoint, or makes its calls fail. */
const settings = {
  use_fips_endpoint: 'true',
  use_dualstack_endpoint: 'true',
  ignore_configured_endpoint_urls: 'true',
  endpoint_url: 'http://endpoint.invalid',
  region: 'eu-west-3',
  retry_mode: 'unknown',
  max_attempts: 'many',
  defaults_mode: 'unknown',
  disable_request_compression: 'unknown',
  account_id_endpoint_mode: 'required',
  sigv4a_signing_region_set: '*',
  auth_scheme_preference: 'sigv4a',
  request_min_compression_size_bytes: '-1',
};

const services = 'CLOUDWATCH_LOGS CLOUDFORMATION DYNAMODB_STREAMS EVENTBRIDGE LAMBDA SESV2 SQS STS'.split(
  ' ',
);

const home = temporaryDirectory();
const connectionsFile = join(home, 'connections');
const preload = resolve(import.meta.dirname, '../../fixtures/recorded-connections.cjs');

/** The AWS configuration of a user, except the variables that replace an emulator, and a proxy. */
const environment = {
  ...Object.fromEntries(
    Object.entries(settings).map(([name, value]) => [`AWS_${name.toUpperCase()}`, value]),
  ),
  ...Object.fromEntries(services.map((name) => [`AWS_ENDPOINT_URL_${name}`, 'http://service.invalid'])),
  AWS_PROFILE: 'work',
  AWS_SDK_LOAD_CONFIG: '1',
  AWS_SESSION_TOKEN: 'session',
  AWS_ACCOUNT_ID: '111111111111',
  AWS_LAMBDA_FUNCTION_NAME: 'theirs',
  AWS_EXECUTION_ENV: 'AWS_Lambda_nodejs24.x',
  AWS_WEB_IDENTITY_TOKEN_FILE: join(home, 'token'),
  AWS_ROLE_ARN: 'arn:aws:iam::111111111111:role/theirs',
  AWS_CONTAINER_CREDENTIALS_FULL_URI: 'http://container.invalid',
  AWS_EC2_METADATA_SERVICE_ENDPOINT: 'http://metadata.invalid',
  NODE_USE_ENV_PROXY: '1',
  HTTP_PROXY: 'http://proxy.invalid',
  HTTPS_PROXY: 'http://proxy.invalid',
  NO_PROXY: '',
  no_proxy: '',
  NODE_ENV: 'production',
  TZ: 'Pacific/Kiritimati',
  LC_ALL: 'tr_TR.UTF-8',
  HOME: home,
  USERPROFILE: home,
  CONNECTIONS_FILE: connectionsFile,
  NODE_OPTIONS: `--require ${JSON.stringify(preload)}`,
};

function profile(heading: string): string {
  const lines = Object.entries({
    ...settings,
    sso_session: 'work',
    sso_account_id: '111111111111',
    sso_role_name: 'developer',
    services: 'theirs',
  });
  return `[${heading}]\n${lines.map(([name, value]) => `${name} = ${value}\n`).join('')}`;
}

const directory = temporaryDirectory();
const connections = () => [...new Set(readFileSync(connectionsFile, 'utf8').split('\n').filter(Boolean))];

beforeAll(async () => {
  mkdirSync(join(home, '.aws'));
  const session = '[sso-session work]\nsso_region = eu-west-3\nsso_start_url = https://sso.invalid\n';
  const theirs = ['dynamodb', 'scheduler', 'secrets_manager', 'ses', 'sfn', 'sqs', 'lambda', 'eventbridge']
    .map((name) => `${name} =\n  endpoint_url = http://service.invalid\n`)
    .join('');
  writeFileSync(
    join(home, '.aws/config'),
    `${profile('default')}${profile('profile work')}${session}[services theirs]\n${theirs}`,
  );
  const keys = 'aws_access_key_id = theirs\naws_secret_access_key = theirs\n';
  writeFileSync(join(home, '.aws/credentials'), `[default]\n${keys}[work]\n${keys}`);
  writeFileSync(connectionsFile, '');
  await restart(directory, { environment, settings: [] });
});

afterEach(() => expect(connections()).toEqual(['127.0.0.1']));

describe('In the environment of a user with a proxy and an AWS configuration', () => {
  test('dogs bark with mail, asynchronously and on a schedule', async () => {
    expect((await client.post('/v1/dogs/message-sync/barks')).status).toBe(200);
    expect((await client.post('/v1/dogs/record-async/barks')).status).toBe(202);
    const set = await client.post('/v1/dogs/count-sync/bark-schedule', { token: 1, next: 0, frequency: 10 });
    expect(set.status).toBe(205);
    await eventually(async () => {
      const dogs = ['record-async', 'count-sync'].map((id) => dogAt(client, `/v1/dogs/${id}/`));
      for (const { barkCount } of await Promise.all(dogs)) expect(barkCount).toBe(1);
    });
  });

  test('the service issues access tokens', async () => {
    expect(await statusWith((await exchange(service.access)).token)).toBe(200);
  });

  test.each([
    'credentials list',
    'keys rotate',
    // @extension cli {
    'users list',
    'get count-sync',
    'bark record-sync',
    'schedules repair',
    'queues list',
    'addresses list',
    // @extension cli }
  ])('the command %s succeeds', async (command) => {
    const parameters = ['bin/cli.mjs', ...command.split(' ')];
    const result = await run(process.execPath, parameters, { ...environment, DATA_DIR: directory });
    expect(result).toMatchObject({ code: 0, stderr: '' });
  });

  test('a function can be invoked', async () => {
    const parameters = ['bin/invoke.ts', 'RefreshCredentials', 'events/RefreshCredentials.json'];
    const { code, stderr } = await run(process.execPath, parameters, { ...environment, DATA_DIR: directory });
    expect([code, stderr]).toEqual([0, '']);
  });
});

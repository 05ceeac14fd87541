import { networkInterfaces } from 'node:os';
import { GetSecretValueCommand, SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { eventually } from '@rest-actions/local-cloud/testing';
import { skipTime } from '../../support/time.ts';
import { operatorAccess, withClient } from '../operator-access.ts';
import { client, restart, runCommand, service, temporaryDirectory } from '../support.ts';

const interfaces = Object.values(networkInterfaces()).flatMap((addresses = []) => addresses);
const hasIPv6 = interfaces.some(({ address }) => address === '::1');
/** An address that other machines can use, if there is one. */
const own = interfaces.find(({ internal, scopeid }) => !internal && !scopeid)?.address;

/** The values of HOST, each with the host in the service's URL. */
const hosts: [string, string][] = [
  ['127.0.0.1', '127.0.0.1'],
  ['localhost', 'localhost'],
  ['0.0.0.0', '127.0.0.1'],
];
// Other systems assign only one IPv4 address to the loopback interface.
if (process.platform === 'linux') hosts.push(['127.0.0.2', '127.0.0.2']);
if (hasIPv6) hosts.push(['::1', '[::1]'], ['::', '[::1]']);
if (own) hosts.push([own, own.includes(':') ? `[${own}]` : own]);

/** The folder of a service that each test starts on another address. */
const kept = temporaryDirectory();
const half = 30 * 60_000;

/** Returns the credential that the service keeps fresh. */
async function credential(directory: string): Promise<string | undefined> {
  const [{ credential: SecretId }] = JSON.parse(operatorAccess(directory).outputs.Credentials ?? '');
  const command = new GetSecretValueCommand({ SecretId });
  const { SecretString } = await withClient(SecretsManagerClient, directory, (client) =>
    client.send(command),
  );
  return SecretString;
}

afterEach(() => service.stop());

describe.each(hosts)('With HOST=%s', (HOST, name) => {
  test.each([
    ['the first start', temporaryDirectory()],
    ['a start on the data of another address', kept],
  ])('%s serves its URL, and refreshes its credential', async (_, directory) => {
    // The clock never goes back, so that the credential of the previous test expires.
    const clockOffsetMs = half * hosts.findIndex(([host]) => host === HOST);
    await restart(directory, { environment: { HOST }, clockOffsetMs });
    const { base_url, auth_url } = service.access;
    expect([new URL(base_url).hostname, auth_url]).toEqual([name, base_url]);
    expect((await client.post('/v1/dogs/record-sync/barks')).status).toBe(201);
    expect((await runCommand(directory, 'keys', 'list')).code).toBe(0);

    // @extension console {
    const [, signInUrl = ''] = /Sign in +(\S+) /.exec(service.output()) ?? [];
    const { url, status } = await fetch(signInUrl);
    expect([new URL(url).origin, status]).toEqual([base_url, 200]);
    // @extension console }
    const [, inboxUrl = ''] = /Inbox +(\S+)\n/.exec(service.output()) ?? [];
    expect((await fetch(inboxUrl)).status).toBe(200);

    const before = await credential(directory);
    await skipTime(service.access, 25 * 60);
    await eventually(async () => expect(await credential(directory)).not.toBe(before));
  });
});

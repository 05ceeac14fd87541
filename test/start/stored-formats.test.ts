import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { InvokeCommand, LambdaClient } from '@aws-sdk/client-lambda';
import { eventually } from '@rest-actions/local-cloud/testing';
import { subscriptionTokenOf } from '../../lambdas/domain/suspensions/subscription.ts';
import { keysMaxAgeSeconds } from '../../lambdas/domain/tokens/published-keys.ts';
import { type Bark, type Client, documentOf, dogAt, mailsTo } from '../support/client.ts';
import { preparedStack } from '../support/prepare-services.ts';
import { skipTime } from '../support/time.ts';
import { operatorAccess, withClient } from './operator-access.ts';
import { identitiesIn } from './stored-formats/identities.ts';
import { exchangeOf, type Recorded } from './stored-formats/recorded.ts';
import { writeStoredData } from './stored-formats/stored-data.ts';
import { client, exchange, restart, service, statusWith, temporaryDirectory } from './support.ts';
import { dogItemOf, itemsOf } from './tables.ts';

// Each file in `stored-formats` contains what a release has stored. Every later version must be able to read it.

const folder = join(import.meta.dirname, 'stored-formats');
const releases = readdirSync(folder).filter((name) => name.endsWith('.json'));

async function barkCountsOf(client: Client): Promise<Record<string, number>> {
  const counts = ['rex', 'max'].map(async (dog) => [
    dog,
    (await dogAt(client, `/v1/dogs/${dog}/`)).barkCount,
  ]);
  return Object.fromEntries(await Promise.all(counts));
}

describe.each(releases)('with the data in %s, the service', (file) => {
  const recorded = JSON.parse(readFileSync(join(folder, file), 'utf8')) as Recorded;
  const directory = temporaryDirectory();

  beforeAll(async () => {
    const clockOffsetMs = recorded.recordedAt * 1000 - Date.now();
    const { username, password } = recorded.access;
    await restart(directory, { app: preparedStack, clockOffsetMs }, { username, password });
    await writeStoredData(directory, recorded.data);
    // The functions have cached the keys of this service.
    await skipTime(service.access, keysMaxAgeSeconds + 1);
  });

  test.each(
    recorded.exchanges.map((exchange) => [exchange.sent.method, exchange.sent.path, exchange] as const),
  )('responds to the same %s %s as the release did', async (_method, _path, { sent, ...response }) => {
    // A later version may add members to a document.
    expect(await exchangeOf(client, sent)).toMatchObject(response);
  });

  test('accepts an access token of the release, and issues one for its refresh token', async () => {
    const { token } = await exchange(recorded.access);
    for (const one of [recorded.access.accessToken, token]) expect(await statusWith(one)).toBe(200);
  });

  test('performs a bark that was pending', async () => {
    const { dog, bark } = recorded.pendingBark;
    const FunctionName = operatorAccess(directory).functions.PerformBark;
    const perform = new InvokeCommand({ FunctionName, Payload: JSON.stringify(recorded.pendingBark) });
    await withClient(LambdaClient, directory, (lambda) => lambda.send(perform));
    const { status } = documentOf<Bark>(await client.get(`/v1/dogs/${dog}/barks/${bark}`));
    expect(status).toBe('complete');
  });

  test('barks at the next occurrence of each schedule, with a link in its mail', async () => {
    const before = await barkCountsOf(client);
    const mails = () => mailsTo(service.access.mail_url ?? '', 'rex@example.com');
    const { length } = await mails();
    await skipTime(service.access, 2 * 60 * 60);
    await eventually(async () => {
      const after = await barkCountsOf(client);
      expect(after.rex).toBeGreaterThan(before.rex ?? 0);
      expect(after.max).toBeGreaterThan(before.max ?? 0);
    });
    await eventually(async () => {
      const mail = (await mails())[length];
      expect(mail?.unsubscribe).toContain(`<${client.baseUrl}/v1/dogs/rex/mail-subscription/`);
    });
  });

  test('sends a mail whose link unsubscribes, and accepts no link that the incarnation of the dog signs', async () => {
    const { email = '' } = await dogAt(client, '/v1/dogs/rex/');
    const { incarnation } = await dogItemOf(directory, 'rex');
    const unsubscribe = (path: string) =>
      client.send('POST', path, {
        fields: { Authorization: '', 'Content-Type': 'application/x-www-form-urlencoded' },
        body: Buffer.from('List-Unsubscribe=One-Click'),
      });
    const forged = subscriptionTokenOf(String(incarnation), [email]);
    expect((await unsubscribe(`/v1/dogs/rex/mail-subscription/${forged}`)).status).toBe(404);
    expect((await client.post('/v1/dogs/rex/barks')).status).toBe(201);
    const mails = await mailsTo(service.access.mail_url ?? '', email);
    const link = mails.at(-1)?.unsubscribe?.slice(1 + client.baseUrl.length, -1) ?? '';
    expect((await unsubscribe(link)).status).toBe(200);
    expect(await dogAt(client, '/v1/dogs/rex/')).toMatchObject({ suspended: [{ address: email }] });
  });

  test('has each resource and each output of the release, so that a deployment keeps its data and its URL', () => {
    const { resources, outputs } = identitiesIn(preparedStack);
    expect(resources).toMatchObject(recorded.stack.resources);
    expect(outputs).toEqual(expect.arrayContaining([...recorded.stack.outputs]));
  });

  test('deletes a dog of the release with everything that belongs to it', async () => {
    expect((await client.delete('/v1/dogs/rex/')).status).toBe(204);
    await eventually(async () => expect(await itemsOf(directory, 'rex')).toEqual([]));
  });
});

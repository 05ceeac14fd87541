import { createHmac } from 'node:crypto';
import { handler as getSubscription } from '../../../lambdas/api/dogs/mail-subscription/get.ts';
import { handler as postSubscription } from '../../../lambdas/api/dogs/mail-subscription/post.ts';
import { handler as putDog } from '../../../lambdas/api/dogs/put.ts';
import { readDog } from '../../../lambdas/domain/dogs/read.ts';
import { suspensionsOf } from '../../../lambdas/domain/suspensions/suspension.ts';
import { newContext } from '../../support/context.ts';
import { linkTokenOf, newDog, newDogId, removeMailKey } from '../../support/dogs.ts';
import { calls, reset, useFunctions } from '../../support/faults.ts';
import { invoke } from '../../support/invoke.ts';

useFunctions();

const recipients = ['dog@example.com', 'owner@example.com'];

async function subscribedDog() {
  const id = await newDog('sync', ['emailDog', 'emailOwner']);
  const token = linkTokenOf(await readDog(id, newContext()), recipients);
  reset();
  return { id, request: { pathParameters: { dog_id: id, token } } };
}

async function reasonsOf(id: string) {
  return suspensionsOf(await readDog(id, newContext())).map(({ address, reason }) => [address, reason]);
}

describe('GET of the link in List-Unsubscribe', () => {
  test('returns a page with a button, and changes nothing', async () => {
    const { id, request } = await subscribedDog();
    const { statusCode, headers, body } = await invoke(getSubscription, 'GetMailSubscription', request);
    expect([statusCode, headers]).toEqual([
      200,
      expect.objectContaining({
        'Content-Type': 'text/html; charset=utf-8',
        'Cache-Control': 'no-store',
        'Referrer-Policy': 'no-referrer',
        'Content-Security-Policy': expect.stringContaining("form-action 'self'"),
      }),
    ]);
    expect(body).toContain(`<p>The dog ${id} sends mail to dog@example.com and owner@example.com.</p>`);
    expect(body).toContain(
      '<form method="post"><button class="main" name="List-Unsubscribe" value="One-Click">',
    );
    expect(calls()).toEqual(['GetItem']);
    expect(await reasonsOf(id)).toEqual([]);
  });
});

test('POST to the link in List-Unsubscribe accepts a multipart form with more header fields', async () => {
  const { id, request } = await subscribedDog();
  const fields = ['Content-Disposition: form-data; name="List-Unsubscribe"', 'Content-Type: text/plain'];
  const body = ['--b', ...fields, '', 'One-Click', '--b--', ''].join('\r\n');
  const headers = { 'Content-Type': 'Multipart/Form-Data; boundary=b' };
  const response = await invoke(postSubscription, 'PostMailSubscription', { ...request, headers, body });
  expect(response).toMatchObject({ statusCode: 200, body: expect.stringContaining('no longer sends mail') });
  expect(await reasonsOf(id)).toEqual(recipients.map((address) => [address, 'unsubscribed']));
});

describe('The token of a link', () => {
  const form = { headers: { 'Content-Type': 'application/x-www-form-urlencoded' } };

  test('cannot be computed from the response to the PUT of a dog', async () => {
    const id = newDogId();
    const settings = { email: 'victim@example.com', barkEffects: ['emailDog'] };
    const body = JSON.stringify(settings);
    const put = await invoke(putDog, 'PutDog', { pathParameters: { dog_id: id }, body });
    const shown = JSON.stringify(put);
    const { incarnation, mailKey = '' } = await readDog(id, newContext());
    expect(shown).toContain(incarnation);
    expect(mailKey).toMatch(/^[\w-]{43}$/);
    expect(shown).not.toContain(mailKey);
    for (const key of new Set(shown.match(/[\w-]+/g))) {
      const mac = createHmac('sha256', key).update('["mail-subscription","victim@example.com"]');
      const pathParameters = { dog_id: id, token: mac.digest('base64url').slice(0, 24) };
      const request = { pathParameters, ...form, body: 'List-Unsubscribe=One-Click' };
      expect(await invoke(postSubscription, 'PostMailSubscription', request)).toMatchObject({
        statusCode: 404,
      });
    }
    expect(await reasonsOf(id)).toEqual([]);
  });

  test('is not valid if version 1.0.0 signed it', async () => {
    const { id } = await subscribedDog();
    await removeMailKey(id);
    const { incarnation } = await readDog(id, newContext());
    for (const mailKey of [incarnation, '', 'undefined']) {
      const request = { pathParameters: { dog_id: id, token: linkTokenOf({ mailKey }, recipients) } };
      const refused = await invoke(getSubscription, 'GetMailSubscription', request);
      expect(refused.statusCode).toBe(404);
    }
    expect(await reasonsOf(id)).toEqual([]);
  });
});

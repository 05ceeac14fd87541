import { eventually } from '@rest-actions/local-cloud/testing';
import { dogAt, type Fields, type Mail } from '../support/client.ts';
import {
  addresses,
  mailsTo,
  service,
  simulatedAddress,
  stateOf,
  testDogs,
  testWithInbox,
  testWithMail,
} from './service.ts';

const withInbox = testWithInbox('the tests of the inbox');

function mails(address: string, count: number): Promise<readonly Mail[]> {
  return eventually(async () => {
    const found = await mailsTo(address);
    expect(found).toHaveLength(count);
    return found;
  });
}

testWithMail('a bark that only sends mail changes nothing about the dog', async () => {
  const dog = await testDogs.newDog({ ...addresses(), barkEffects: ['emailDog'] });
  const before = await stateOf(dog);
  await service.post(`${dog}barks`);
  expect(await stateOf(dog)).toEqual(before);
});

withInbox('each bark sends one mail with its message to the dog and its owner together', async () => {
  const [email, owner] = [simulatedAddress(), simulatedAddress()];
  const dog = await testDogs.newDog({
    email,
    owner: `MAILTO:${owner.replace('+', '%2B').replace('@', '%40')}`,
    barkEffects: ['emailOwner', 'emailDog', 'record'],
    barkHandling: 'sync',
  });
  for (const message of ['Someone is at the door 🐶', 'again'])
    await service.post(`${dog}barks`, { message });
  for (const address of [email, owner]) {
    const [mail, other] = await mails(address, 2);
    expect([...(mail?.destination.to ?? [])].sort()).toEqual([email, owner].sort());
    expect(mail?.subject).toContain(dog.split('/').at(-2));
    expect(mail?.body.text).toContain('Someone is at the door 🐶');
    expect(other?.body.text).toContain('again');
  }
});

function linkOf(mail: Mail | undefined): string {
  const [, url = ''] = /^<(.+)>$/.exec(mail?.unsubscribe ?? '') ?? [];
  return url.slice(service.baseUrl.length);
}

/** Sends a form to the link. The default is the form with which a mail program unsubscribes an email's recipients. */
function unsubscribe(path: string, { form = 'List-Unsubscribe=One-Click', fields = {} } = {}) {
  const type = { 'Content-Type': 'application/x-www-form-urlencoded' };
  return service.send('POST', path, {
    fields: { Authorization: '', ...type, ...fields },
    body: Buffer.from(form),
  });
}

withInbox(
  'the link in a mail unsubscribes its recipients, without credentials, and undoes that',
  async () => {
    const [email, owner] = [simulatedAddress(), simulatedAddress()];
    const settings = { owner: `mailto:${owner}`, barkEffects: ['emailDog', 'emailOwner', 'record'] } as const;
    const dog = await testDogs.newDog({ email, ...settings, barkHandling: 'sync' });
    await service.post(`${dog}barks`);
    const [mail] = await mails(email, 1);
    const path = linkOf(mail);
    const read = (method: 'GET' | 'HEAD', fields: Fields = {}) =>
      service.send(method, path, { fields: { Authorization: '', ...fields } });
    expect((await read('HEAD')).status).toBe(200);
    const page = await read('GET');
    expect([page.status, page.text]).toEqual([200, expect.stringContaining(email)]);
    // The page has no entity tag.
    for (const [name, value, ofGet, ofPost] of [
      ['If-None-Match', '*', 304, 412],
      ['If-Match', '"rex"', 412, 412],
      ['If-Match', 'rex', 400, 400],
    ] as const) {
      for (const method of ['GET', 'HEAD'] as const)
        expect((await read(method, { [name]: value })).status).toBe(ofGet);
      expect((await unsubscribe(path, { fields: { [name]: value } })).status).toBe(ofPost);
    }
    expect(await dogAt(service, dog)).not.toHaveProperty('suspended');
    for (const _ of ['first', 'repeat']) expect((await unsubscribe(path)).status).toBe(200);
    expect(await dogAt(service, dog)).toMatchObject({
      suspended: [email, owner].map((address) => ({ address, reason: 'unsubscribed' })),
    });
    expect((await service.post(`${dog}barks`)).status).toBe(409);
    await mails(email, 1);
    for (const _ of ['first', 'repeat'])
      expect((await unsubscribe(path, { form: 'subscribed=true' })).status).toBe(200);
    expect(await dogAt(service, dog)).not.toHaveProperty('suspended');
    expect((await service.post(`${dog}barks`)).status).toBe(201);
    await mails(email, 2);
  },
);

withInbox(
  'the link in a mail unsubscribes those of its recipients whose address the dog still has, and shows only them',
  async () => {
    const [email, owner, next] = [simulatedAddress(), simulatedAddress(), simulatedAddress()];
    const settings = {
      email,
      barkEffects: ['emailDog', 'emailOwner', 'record'],
      barkHandling: 'sync',
    } as const;
    const dog = await testDogs.newDog({ ...settings, owner: `mailto:${owner}` });
    await service.post(`${dog}barks`);
    const [mail] = await mails(email, 1);
    const path = linkOf(mail);
    const changed = email.replace('success', 'Success');
    await service.put(dog, { ...settings, email: changed, owner: `mailto:${next}` });
    const page = await service.send('GET', path, { fields: { Authorization: '' } });
    expect([page.status, page.text]).toEqual([200, expect.stringContaining(`sends mail to ${changed}.`)]);
    for (const address of [owner, next]) expect(page.text).not.toContain(address);
    expect((await unsubscribe(path)).status).toBe(200);
    expect(await dogAt(service, dog)).toMatchObject({
      suspended: [{ address: changed, reason: 'unsubscribed' }],
    });
    await service.post(`${dog}barks`);
    expect((await mails(next, 1))[0]?.destination.to).toEqual([next]);
    await service.put(dog, { ...settings, email: next, owner: `mailto:${next}` });
    expect((await service.send('GET', path, { fields: { Authorization: '' } })).status).toBe(404);
  },
);

withInbox(
  'an address that has unsubscribed gets no mail again after the dog had another address',
  async () => {
    const settings = { barkEffects: ['emailDog', 'record'], barkHandling: 'sync' } as const;
    const former = [simulatedAddress(), simulatedAddress()];
    const dog = await testDogs.newDog();
    for (const email of former) {
      await service.put(dog, { email, ...settings });
      expect((await service.post(`${dog}barks`)).status).toBe(201);
      const [mail] = await mails(email, 1);
      expect((await unsubscribe(linkOf(mail))).status).toBe(200);
    }
    for (const email of former) {
      await service.put(dog, { email, ...settings });
      expect(await dogAt(service, dog)).toMatchObject({
        suspended: [{ address: email, reason: 'unsubscribed' }],
      });
      expect((await service.post(`${dog}barks`)).status).toBe(409);
      expect(await mailsTo(email)).toHaveLength(1);
    }
  },
);

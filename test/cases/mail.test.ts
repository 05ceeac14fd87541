import { allOf, documentOf, dogAt, eventually, type Mail } from '../support/client.ts';
import {
  addresses,
  mailsTo,
  service,
  simulatedAddress,
  skipTime,
  stateOf,
  testDogs,
  testWithInbox,
  testWithMail,
  timeOfService,
  windowSeconds,
} from './service.ts';

const withInbox = testWithInbox('the tests of the inbox');

/** Waits until an address has received the expected number of emails, and returns them. */
function mails(address: string, count: number): Promise<readonly Mail[]> {
  return eventually(async () => {
    const found = await mailsTo(address);
    expect(found).toHaveLength(count);
    return found;
  });
}

describe('a dog that only sends mail', () => {
  testWithMail.each([['emailDog'], ['emailOwner']])(
    'barks with %s and returns 200 with the time of the bark',
    async (effect) => {
      const dog = await testDogs.newDog({ ...addresses(), barkEffects: [effect], barkHandling: 'sync' });
      const response = await service.post(`${dog}barks`);
      expect([response.status, documentOf(response)]).toEqual([
        200,
        { dog: `${service.baseUrl}${dog}`, timestamp: expect.any(Number), status: 'complete' },
      ]);
      expect(response.headers.has('Location')).toBe(false);
    },
  );

  testWithMail('does not change after a bark: it has no count and no barks', async () => {
    const dog = await testDogs.newDog({
      ...addresses(),
      barkEffects: ['emailDog', 'emailOwner'],
      barkHandling: 'sync',
    });
    const before = await stateOf(dog);
    await service.post(`${dog}barks`);
    expect(await stateOf(dog)).toEqual(before);
    expect(await dogAt(service, dog)).not.toHaveProperty('barks');
    expect(await allOf(service, `${dog}barks`)).toEqual([]);
  });
});

withInbox('a bark with a message is mailed to the dog once', async () => {
  const email = simulatedAddress();
  const dog = await testDogs.newDog({ email, barkEffects: ['emailDog'] });
  await service.post(`${dog}barks`, { message: 'Someone is at the door 🐶' });
  const [mail] = await mails(email, 1);
  expect(mail?.destination.to).toEqual([email]);
  expect(mail?.subject).toContain(dog.split('/').at(-2));
  expect(mail?.body.text).toContain('Someone is at the door 🐶');
});

withInbox('a bark without a message is mailed', async () => {
  const email = simulatedAddress();
  const dog = await testDogs.newDog({ email, barkEffects: ['emailDog'] });
  await service.post(`${dog}barks`);
  const [mail] = await mails(email, 1);
  expect(mail?.body.text).toMatch(/\S/);
});

withInbox('the owner gets mail at the address that the mailto: URI encodes', async () => {
  const owner = simulatedAddress();
  const dog = await testDogs.newDog({
    owner: `MAILTO:${owner.replace('+', '%2B').replace('@', '%40')}`,
    barkEffects: ['emailOwner'],
    barkHandling: 'sync',
  });
  await service.post(`${dog}barks`);
  await mails(owner, 1);
});

withInbox('the dog and its owner get one mail together', async () => {
  const [email, owner] = [simulatedAddress(), simulatedAddress()];
  const dog = await testDogs.newDog({
    email,
    owner: `mailto:${owner}`,
    barkEffects: ['emailOwner', 'emailDog', 'record'],
    barkHandling: 'sync',
  });
  await service.post(`${dog}barks`);
  const [mail] = await mails(email, 1);
  expect([...(mail?.destination.to ?? [])].sort()).toEqual([email, owner].sort());
  await mails(owner, 1);
});

withInbox('two barks send two mails', async () => {
  const email = simulatedAddress();
  const dog = await testDogs.newDog({ email, barkEffects: ['emailDog', 'count'] });
  await service.post(`${dog}barks`, { message: 'again' });
  await service.post(`${dog}barks`, { message: 'again' });
  await mails(email, 2);
});

withInbox('a mail goes to the address that the dog has at the time of the bark', async () => {
  const [former, current] = [simulatedAddress(), simulatedAddress()];
  const dog = await testDogs.newDog({ email: former, barkEffects: ['emailDog'] });
  await service.put(dog, { email: current, barkEffects: ['emailDog'] });
  await service.post(`${dog}barks`);
  await mails(current, 1);
  expect(await mailsTo(former)).toEqual([]);
});

withInbox.each([
  ['a dog without mail effects', ['record'], { message: 'quiet' }, 201],
  ['a bark that was refused', ['emailDog'], { message: '' }, 422],
])('the service sends no mail for %s', async (_, barkEffects, document, status) => {
  const email = simulatedAddress();
  const dog = await testDogs.newDog({ email, owner: `mailto:${email}`, barkEffects });
  expect((await service.post(`${dog}barks`, document)).status).toBe(status);
  expect(await mailsTo(email)).toEqual([]);
});

withInbox.each([{}, { Prefer: 'respond-async' }])(
  'both parts of the mail of a bark with %j have its time and the link of the header',
  async (fields) => {
    const email = simulatedAddress();
    const dog = await testDogs.newDog({ email, barkEffects: ['emailDog', 'record'] });
    const before = await timeOfService();
    await service.post(`${dog}barks`, { message: 'a < b' }, fields);
    if ('Prefer' in fields) await skipTime(windowSeconds + 1);
    const [mail] = await mails(email, 1);
    const { text = '', html = '' } = mail?.body ?? {};
    const [, link = ''] = /^<(.+)>$/.exec(mail?.unsubscribe ?? '') ?? [];
    expect(link.startsWith(`${service.baseUrl}${dog}mail-subscription/`)).toBe(true);
    expect(text).toContain(`Unsubscribe: ${link}`);
    expect(html).toContain(`<a href="${link}">Unsubscribe</a>`);
    expect(html).toContain('a &#60; b');
    const [, stated = ''] = /barked on (.+)\.$/m.exec(text) ?? [];
    const [, machineReadable = '', shown] = /<time datetime="(.+?)">(.+?)<\/time>/.exec(html) ?? [];
    expect(shown).toBe(stated);
    expect(Date.parse(stated.replace(' at ', ' ')) / 1000).toBe(
      Math.floor(Date.parse(machineReadable) / 1000),
    );
    expect(Date.parse(machineReadable) / 1000).toBeGreaterThanOrEqual(before);
  },
);

/** Returns the path of the unsubscribe link in an email. */
function linkOf(mail: Mail | undefined): string {
  const [, url = ''] = /^<(.+)>$/.exec(mail?.unsubscribe ?? '') ?? [];
  return url.slice(service.baseUrl.length);
}

/** Sends a form to the link. The default is the form with which a mail program unsubscribes an email's recipients. */
function unsubscribe(path: string, form = 'List-Unsubscribe=One-Click') {
  const fields = { Authorization: '', 'Content-Type': 'application/x-www-form-urlencoded' };
  return service.send('POST', path, { fields, body: Buffer.from(form) });
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
    const withoutCredentials = { Authorization: '' };
    expect((await service.send('HEAD', path, { fields: withoutCredentials })).status).toBe(200);
    const page = await service.send('GET', path, { fields: withoutCredentials });
    expect([page.status, page.text]).toEqual([200, expect.stringContaining(email)]);
    const form = { ...withoutCredentials, 'Content-Type': 'application/x-www-form-urlencoded' };
    const body = Buffer.from('List-Unsubscribe=One-Click');
    // The page has no entity tag.
    const preconditions = [
      ['GET', 304, 'If-None-Match', '*'],
      ['GET', 412, 'If-Match', '"rex"'],
      ['POST', 412, 'If-None-Match', '*'],
      ['POST', 412, 'If-Match', '"rex"'],
      ['POST', 400, 'If-Match', 'rex'],
    ] as const;
    for (const [method, status, name, value] of preconditions)
      for (const sent of method === 'GET' ? ['GET', 'HEAD'] : [method]) {
        const request =
          sent === 'POST'
            ? { fields: { ...form, [name]: value }, body }
            : { fields: { ...withoutCredentials, [name]: value } };
        expect([sent, name, (await service.send(sent, path, request)).status]).toEqual([sent, name, status]);
      }
    for (const sent of ['GET', 'HEAD'])
      expect(
        (await service.send(sent, path, { fields: { ...withoutCredentials, 'If-Match': 'rex' } })).status,
      ).toBe(400);
    expect(await dogAt(service, dog)).not.toHaveProperty('suspended');
    for (const _ of ['first', 'repeat']) expect((await unsubscribe(path)).status).toBe(200);
    expect(await dogAt(service, dog)).toMatchObject({
      suspended: [email, owner].map((address) => ({ address, reason: 'unsubscribed' })),
    });
    expect((await service.post(`${dog}barks`)).status).toBe(409);
    await mails(email, 1);
    for (const _ of ['first', 'repeat'])
      expect((await unsubscribe(path, 'subscribed=true')).status).toBe(200);
    expect(await dogAt(service, dog)).not.toHaveProperty('suspended');
    expect((await service.post(`${dog}barks`)).status).toBe(201);
    await mails(email, 2);
  },
);

withInbox('of 23 addresses that unsubscribed one after the other, none gets mail again', async () => {
  const settings = { barkEffects: ['emailDog', 'record'], barkHandling: 'sync' } as const;
  const former = Array.from({ length: 23 }, simulatedAddress);
  const dog = await testDogs.newDog({ email: simulatedAddress(), ...settings });
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
});

import { createBark } from '../../../../lambdas/domain/barks/create.ts';
import { sendBarkMail } from '../../../../lambdas/domain/barks/mail.ts';
import { performBark } from '../../../../lambdas/domain/barks/perform.ts';
import { readBark } from '../../../../lambdas/domain/barks/queries.ts';
import type { Dog, Effect } from '../../../../lambdas/domain/dogs/dog.ts';
import { readDog } from '../../../../lambdas/domain/dogs/read.ts';
import { suspendAddresses } from '../../../../lambdas/domain/suspensions/suspend.ts';
import { acceptBark, barkNumbers, noBark } from '../../../support/barks.ts';
import { at, newContext, now } from '../../../support/context.ts';
import { linkTokenOf, newDog, recreateDog, removeMailKey } from '../../../support/dogs.ts';
import { calls, plan, reset, running, sent, useFunctions } from '../../../support/faults.ts';

useFunctions();
let warned: jest.SpiedFunction<typeof console.warn>;
let failed: jest.SpiedFunction<typeof console.error>;
beforeEach(() => {
  warned = jest.spyOn(console, 'warn').mockReset().mockReturnValue();
  failed = jest.spyOn(console, 'error').mockReset().mockReturnValue();
});

async function mailingDog(handling: 'sync' | 'async', ...effects: Effect[]): Promise<Dog> {
  return readDog(await newDog(handling, effects), newContext());
}

async function suspend({ id, incarnation }: Dog, ...addresses: string[]): Promise<Dog> {
  await suspendAddresses({ dog: id, incarnation, addresses, reason: 'bounced', at }, newContext());
  reset();
  return readDog(id, newContext());
}

const mailTo = (dog: Dog, ...recipients: string[]) => ({ dog, recipients, message: undefined, at: now });

describe('sendBarkMail', () => {
  test('sends a message to all recipients, with the headers of RFC 8058 and the tags of the dog', async () => {
    const dog = await mailingDog('sync', 'emailDog');
    reset();
    await sendBarkMail(mailTo(dog, 'dog@example.com', 'owner@example.com'), newContext());
    const [parameters] = running().mailParameters();
    expect(Object.fromEntries(parameters ?? [])).toMatchObject({
      Source: 'dogs@example.com',
      ConfigurationSetName: 'mail',
      'Destinations.member.1': 'dog@example.com',
      'Destinations.member.2': 'owner@example.com',
      'Tags.member.1.Name': 'dog',
      'Tags.member.1.Value': dog.id,
      'Tags.member.2.Name': 'incarnation',
      'Tags.member.2.Value': dog.incarnation,
    });
    const token = linkTokenOf(dog, ['dog@example.com', 'owner@example.com']);
    const source = Buffer.from(parameters?.get('RawMessage.Data') ?? '', 'base64').toString();
    const [head = ''] = source.split('\r\nContent-Type:');
    expect(head.split('\r\n')).toEqual([
      'From: dogs@example.com',
      'To: dog@example.com,',
      ' owner@example.com',
      `Subject: ${dog.id} barked`,
      'Auto-Submitted: auto-generated',
      `List-Unsubscribe: <http://dogs.example/v1/dogs/${dog.id}/mail-subscription/${token}>`,
      'List-Unsubscribe-Post: List-Unsubscribe=One-Click',
      'MIME-Version: 1.0',
    ]);
  });

  test('is one mail to the dog and its owner, in two formats with the same content', async () => {
    const { id } = await mailingDog('sync', 'emailDog', 'emailOwner');
    const dog = await readDog(id, newContext());
    const to = ['dog@example.com', 'owner@example.com'];
    const link = `http://dogs.example/v1/dogs/${id}/mail-subscription/${linkTokenOf(dog, to)}`;
    reset();
    await createBark(id, { message: 'Hello\nMax' }, newContext());
    expect(sent()).toEqual([
      {
        to,
        subject: `${id} barked`,
        text: `Hello
Max

The dog ${id} barked on Sat, 21 Nov 2026 at 12:00:00 UTC.

--${' '}
You are receiving this email because your address is that of the dog or the owner of the dog ${id}.
Unsubscribe: ${link}
`,
        html: expect.stringMatching(/^<!doctype html>/),
        unsubscribe: `<${link}>`,
      },
    ]);
    const [, body = ''] = /<body[^>]*>\n(.*)\n<\/body>/s.exec(sent()[0]?.html ?? '') ?? [];
    expect(body.replace(/ style="[^"]*"/g, '').split('\n')).toEqual([
      '<p>Hello<br>Max</p>',
      `<p>The dog ${id} barked on <time datetime="2026-11-21T12:00:00.000Z">Sat, 21 Nov 2026 at 12:00:00 UTC</time>.</p>`,
      '<hr>',
      `<p>You are receiving this email because your address is that of the dog or the owner of the dog ${id}.<br><a href="${link}">Unsubscribe</a></p>`,
    ]);
  });

  test.each([
    ['dog@example.com', (id: string) => `your address is that of the dog ${id}.`],
    ['owner@example.com', (id: string) => `your address is that of the owner of the dog ${id}.`],
  ])('gives the reason to %s', async (address, reason) => {
    const dog = await mailingDog('sync', 'emailDog', 'emailOwner');
    reset();
    await sendBarkMail(mailTo(dog, address), newContext());
    expect(sent()[0]?.text).toContain(`\nYou are receiving this email because ${reason(dog.id)}\n`);
  });

  test('sends one mail to an address that is both that of the dog and that of its owner', async () => {
    const dog = await mailingDog('sync', 'emailDog', 'emailOwner');
    reset();
    await sendBarkMail(mailTo(dog, 'dog@example.com', 'DOG@example.com'), newContext());
    expect(sent()).toMatchObject([
      {
        to: ['dog@example.com'],
        unsubscribe: expect.stringContaining(`/${linkTokenOf(dog, ['dog@example.com'])}>`),
      },
    ]);
  });

  test('sends nothing to a suspended address, and the token belongs to the others', async () => {
    const dog = await suspend(await mailingDog('sync', 'emailDog', 'emailOwner'), 'dog@example.com');
    reset();
    await sendBarkMail(mailTo(dog, 'dog@example.com', 'owner@example.com'), newContext());
    expect(sent()).toMatchObject([
      {
        to: ['owner@example.com'],
        unsubscribe: expect.stringContaining(linkTokenOf(dog, ['owner@example.com'])),
      },
    ]);
  });
});

describe('The mail of a dog that version 1.0.0 wrote, without a mail key,', () => {
  const to = ['dog@example.com'];
  const oldDog = async () => {
    const { id } = await mailingDog('sync', 'emailDog');
    await removeMailKey(id);
    const dog = await readDog(id, newContext());
    reset();
    return dog;
  };
  const linkOf = ({ id }: Dog, mailKey = '') =>
    `<http://dogs.example/v1/dogs/${id}/mail-subscription/${linkTokenOf({ mailKey }, to)}>`;

  test('has a link, whose key the dog keeps, and nothing else about the dog changes', async () => {
    const dog = await oldDog();
    await sendBarkMail(mailTo(dog, ...to), newContext());
    expect(calls()).toEqual(['UpdateItem', 'SendRawEmail']);
    const { mailKey = '', ...others } = await readDog(dog.id, newContext());
    expect(mailKey).toMatch(/^[\w-]{43}$/);
    expect(others).toEqual(dog);
    expect(sent()[0]?.unsubscribe).toBe(linkOf(dog, mailKey));
    reset();
    await sendBarkMail(mailTo({ ...dog, mailKey }, ...to), newContext());
    expect(calls()).toEqual(['SendRawEmail']);
  });

  test('has a link with the key that another function stored first', async () => {
    const dog = await oldDog();
    plan('UpdateItem', () => sendBarkMail(mailTo(dog, ...to), newContext()));
    await sendBarkMail(mailTo(dog, ...to), newContext());
    const { mailKey } = await readDog(dog.id, newContext());
    expect(sent().map(({ unsubscribe }) => unsubscribe)).toEqual(Array(2).fill(linkOf(dog, mailKey)));
  });

  test('is not sent, and can be sent later, if DynamoDB does not respond', async () => {
    const dog = await oldDog();
    plan('UpdateItem', 'hangs');
    const sends = sendBarkMail(mailTo(dog, ...to), newContext({ milliseconds: 100 }));
    expect(await sends).toMatchObject({ name: 'MailNotSent' });
  });

  test('gives no key to a dog that was deleted and created again meanwhile', async () => {
    const dog = await oldDog();
    let recreated: Dog | undefined;
    plan('UpdateItem', async () => {
      await recreateDog(dog.id);
      recreated = await readDog(dog.id, newContext());
    });
    await sendBarkMail(mailTo(dog, ...to), newContext());
    expect(sent()).toHaveLength(1);
    expect(await readDog(dog.id, newContext())).toEqual(recreated);
    expect(sent()[0]?.unsubscribe).not.toBe(linkOf(dog, recreated?.mailKey));
  });
});

test('An asynchronous bark whose recipients are all suspended fails with a reason and without an alarm', async () => {
  const dog = await suspend(await mailingDog('async', 'emailDog', 'record'), 'dog@example.com');
  const bark = await acceptBark(dog.id);
  expect(await performBark(dog.id, bark, newContext())).toBe('failed');
  expect(await readBark(dog.id, bark, newContext())).toMatchObject({
    status: 'failed',
    reason: 'Every recipient of the mail is suspended. No mail was sent. GET the dog to see the reasons.',
  });
  expect(await barkNumbers(dog.id)).toEqual(noBark);
  expect(warned).toHaveBeenCalledWith({ event: 'MailSuspended', dog: dog.id, bark });
  expect(failed).not.toHaveBeenCalled();
});

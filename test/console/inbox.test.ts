import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { AwsEndpoint, inboxPage, Mailbox, serveInbox } from '@rest-actions/local-cloud/parts';
import { unguessablePath } from '@rest-actions/local-cloud/platform';
import { eventually } from '@rest-actions/local-cloud/testing';
import type { Page } from 'playwright-core';
import { texts } from '../../bin/start/texts.ts';
import { newFastDirectory } from '../support/fast-directory.ts';
import {
  button,
  cardOf,
  describeInBrowser,
  describeInDetail,
  expectAccessibleState,
  field,
  type StageOptions,
  shownIn,
  stage,
} from './support.ts';

describeInBrowser('The inbox', () => {
  test('shows the mail that a bark sends, as HTML and as text, and further mails as they arrive', async () => {
    const message = 'Is <b>this</b> bold?';
    await stage.newDog('pia', { email: 'pia@example.com', barkEffects: ['emailDog'] });
    const page = await stage.follow('#dogs/pia');
    await field(page, 'Message').fill(message);
    await button(page, 'Bark').click();
    const [inbox] = await Promise.all([
      page.context().waitForEvent('page'),
      cardOf(page, 'Make it bark').getByRole('link', { name: 'Open the inbox of pia@example.com' }).click(),
    ]);
    expect(await shownIn(inbox.locator('article pre').first())).toContain(message);
    expect(await field(inbox, 'Filter').inputValue()).toBe('pia@example.com');
    await inbox.getByText('Live').waitFor();
    await stage.client.post('/v1/dogs/pia/barks', { message: 'The postman is gone' });
    await inbox.getByRole('article').getByText('The postman is gone').waitFor({ timeout: 1_000 });
    expect(await inbox.getByRole('article').count()).toBe(2);
    const unsubscribe = await inbox.getByRole('link', { name: 'Unsubscribe' }).last().getAttribute('href');
    await inbox.getByRole('link', { name: 'pia barked' }).last().click();
    const html = inbox.frameLocator('iframe[title="pia barked"]');
    await html.getByText(message).waitFor();
    await inbox.locator('pre').getByText(message).waitFor();
    const [subscription] = await Promise.all([
      page.context().waitForEvent('page'),
      html.getByRole('link', { name: 'Unsubscribe' }).click(),
    ]);
    expect(subscription.url()).toBe(unsubscribe);
    await button(subscription, 'Stop this mail').click();
    await subscription.getByText('The dog pia no longer sends mail to pia@example.com.').waitFor();
    await expectAccessibleState(subscription);
    await page.getByText('pia sends no mail to pia@example.com, because its owner').waitFor();
    expect((await stage.client.post('/v1/dogs/pia/barks')).status).toBe(409);
    await button(subscription, 'Undo').click();
    await subscription.getByText('The dog pia sends mail to pia@example.com again.').waitFor();
    expect((await stage.client.post('/v1/dogs/pia/barks')).status).toBe(200);
  });
});

/** The URL of a service, to which the inbox only links. */
const baseUrl = 'http://127.0.0.1:3000';
/** 22 November 2026, 14:03:07 UTC. */
const at = 1_795_356_187;
const path = unguessablePath();

describeInDetail('The inbox', () => {
  let directory: string;
  let endpoint: AwsEndpoint;
  let mailbox: Mailbox;
  let url: string;

  async function serve(port: number): Promise<void> {
    endpoint = new AwsEndpoint();
    await endpoint.listen(port);
    const page = (inboxUrl: string) => inboxPage(texts, baseUrl, inboxUrl);
    url = serveInbox(endpoint, mailbox, path, page).inboxUrl ?? '';
  }

  beforeEach(async () => {
    directory = newFastDirectory();
    mailbox = new Mailbox(join(directory, 'mails.jsonl'));
    await serve(0);
  });

  afterEach(async () => {
    endpoint.close();
    rmSync(directory, { recursive: true });
  });

  /** Opens the inbox. @param address the part of the URL after the path of the inbox */
  function open(address = '', options: StageOptions = {}): Promise<Page> {
    return stage.open(`${url}${address}`, options);
  }

  /** Adds emails, opens the inbox, and waits until it shows the newest of them. */
  async function openWith(count: number): Promise<Page> {
    addMany(count);
    const page = await open();
    await expectMails(page, from(count, Math.max(1, count - 49)));
    return page;
  }

  function add(number: number, { to = 'rex@example.com', text = 'Bow wow', more = '' } = {}): void {
    mailbox.add({
      messageId: `${number}`,
      from: 'dogs@example.com',
      destination: { to: [to], cc: [], bcc: [] },
      subject: `Woof ${number}${more}`,
      body: { text, html: '' },
      at: at + number,
    });
  }

  function addMany(count: number): void {
    for (let number = 1; number <= count; number++) add(number);
  }

  async function expectMails(page: Page, numbers: readonly number[]): Promise<void> {
    const titles = () =>
      page.evaluate("[...document.querySelectorAll('article h2')].map((title) => title.textContent)");
    await eventually(async () => expect(await titles()).toEqual(numbers.map((number) => `Woof ${number}`)));
  }

  const from = (first: number, last: number) =>
    Array.from({ length: first - last + 1 }, (_, index) => first - index);

  test('states how to get the first mail, and shows its parts as text when it arrives', async () => {
    const page = await open();
    await page.getByRole('heading', { name: 'No emails yet' }).waitFor();
    await page.getByText('For example, make the dog message-sync bark.').waitFor();
    expect(await page.getByText('Delete all …').count()).toBe(0);
    await expectAccessibleState(page);
    add(0, { more: ' <b>0', to: '<img>@example.com', text: 'Bow\n</pre><b>wow' });
    expect(await shownIn(page.getByRole('article', { name: 'Woof 0' }))).toMatch(
      /Woof 0 <b>0\s+22 Nov 2026, 15:03:07\s+From\s+dogs@example.com\s+To\s+<img>@example.com\s+Bow\n<\/pre><b>wow/,
    );
    await page.getByText('Times are in Europe/Berlin.').waitFor();
    const link = page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name: 'Console' });
    expect(await link.getAttribute('href')).toBe(`${baseUrl}/`);
  });

  test('states what to do without JavaScript', async () => {
    const page = await open('', { javaScriptEnabled: false });
    expect(await shownIn(page.getByRole('main'))).toContain('This page needs JavaScript. Turn it on');
    expect(await page.getByRole('link', { name: 'JSON' }).getAttribute('href')).toBe(`${url}mails`);
  });

  describe('when a mail arrives', () => {
    test('keeps the scroll position, the focus and the text of the filter', async () => {
      const page = await openWith(40);
      const top = () => page.evaluate("document.getElementById('20').getBoundingClientRect().top");
      await field(page, 'Filter').fill('bow');
      await page.evaluate("document.getElementById('20').scrollIntoView({ block: 'center' })");
      const before = await top();
      for (const number of [41, 42]) add(number);
      await expectMails(page, from(42, 1));
      expect(Math.abs(Number(await top()) - Number(before))).toBeLessThan(2);
      expect(await page.evaluate('document.activeElement.value')).toBe('bow');
    });

    test('shows it after the service was unreachable, or states that the inbox has moved', async () => {
      const page = await open();
      await page.getByText('Live').waitFor();
      const port = Number(new URL(url).port);
      endpoint.close();
      await page.getByRole('alert').getByText('The service does not respond.').waitFor();
      add(1);
      await serve(port);
      await expectMails(page, [1]);
      await page.getByText('Live').waitFor();
      endpoint.close();
      endpoint = new AwsEndpoint();
      await endpoint.listen(port);
      await page.getByRole('alert').getByText('This inbox has moved').waitFor();
    });
  });

  test('has a filter, which is what the user clicks or types, survives a reload, and applies to mails that arrive', async () => {
    add(1);
    add(2, { to: 'max@example.com', text: 'The postman is here' });
    add(3);
    const page = await open();
    await page.getByRole('link', { name: 'max@example.com' }).click();
    await expectMails(page, [2]);
    expect(new URL(page.url()).hash).toBe('#max%40example.com');
    add(4);
    add(5, { to: 'max@example.com' });
    await expectMails(page, [5, 2]);
    await page.goBack();
    await expectMails(page, [5, 4, 3, 2, 1]);

    await field(page, 'Filter').fill('POSTMAN');
    await expectMails(page, [2]);
    await page.reload();
    await expectMails(page, [2]);
    expect(await shownIn(page.getByRole('status'))).toBe('1 of 5 emails');
    await field(page, 'Filter').fill('cat');
    await page.getByText('No emails match the filter.').waitFor();
    await expectAccessibleState(page);
    await button(page, 'Show all emails').click();
    await expectMails(page, [5, 4, 3, 2, 1]);
    expect(page.url()).toBe(url);
  });

  test('shows one mail at a URL of its own, until it is deleted', async () => {
    const page = await openWith(2);
    await page.getByRole('link', { name: 'Woof 1' }).click();
    await page.getByRole('heading', { name: 'Woof 1', level: 1 }).waitFor();
    expect(page.url()).toBe(`${url}mails/1`);
    expect(await page.getByRole('article').count()).toBe(1);
    await expectAccessibleState(page);
    await page.getByRole('link', { name: 'rex@example.com' }).click();
    await expectMails(page, [2, 1]);
    expect(page.url()).toBe(`${url}#rex%40example.com`);
    await page.goBack();
    mailbox.clear();
    await page.getByRole('heading', { name: 'No such email' }).waitFor();
    await page.getByRole('link', { name: 'All emails' }).click();
    await page.getByRole('heading', { name: 'No emails yet' }).waitFor();
  });

  test('deletes all mails in all pages after a confirmation, and states that it has failed', async () => {
    addMany(2);
    const [page, other] = [await open('#rex%40example.com'), await open()];
    await expectMails(other, [2, 1]);
    await page.getByText('Delete all …').click();
    await expectAccessibleState(page);
    await page.route('**/mails', (route) => route.abort('connectionrefused'));
    await button(page, 'Yes, delete 2 emails').click();
    await page.getByRole('alert').getByText('The service did not delete the emails.').waitFor();
    expect(mailbox.list().total).toBe(2);
    await page.unroute('**/mails');
    await button(page, 'Yes, delete 2 emails').click();
    for (const shown of [page, other]) await shown.getByRole('heading', { name: 'No emails yet' }).waitFor();
    expect(mailbox.list().total).toBe(0);
  });

  test('shows the newest 50 mails, and older ones when the user asks for them', async () => {
    addMany(999);
    // A page of many emails with long words must fit into any window.
    add(1000, { to: `${'rex'.repeat(30)}@example.com`, text: 'woof'.repeat(100) });
    const page = await open();
    await expectMails(page, from(1000, 951));
    await expectAccessibleState(page);
    expect(await shownIn(page.getByRole('status'))).toBe('1,000 emails');
    await button(page, 'Show older emails').click();
    await expectMails(page, from(1000, 901));
    add(1001);
    await expectMails(page, from(1001, 902));
  });
});

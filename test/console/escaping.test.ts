import type { Page } from 'playwright-core';
import type { MailPage } from '../../local/ses/mail.ts';
import { button, describeInBrowser, dogLink, field, heading, Stage } from './support.ts';

const hostile = '</pre><img src=x onerror=alert(1)>';

describeInBrowser('HTML in a text', () => {
  const stage = new Stage();

  /** Checks that the page shows the text at a place, and that no text of the page has become an element. */
  async function expectText(page: Page, selector: string): Promise<void> {
    await page.locator(selector).filter({ hasText: hostile }).first().waitFor();
    expect([selector, await page.locator('img').count()]).toEqual([selector, 0]);
  }

  test('remains text in each view of the console', async () => {
    const dog = {
      id: hostile,
      email: hostile,
      owner: `javascript:alert(1)//${hostile}`,
      barkCount: hostile,
      barkEffects: ['emailDog', 'emailOwner', 'record', hostile],
      barkHandling: hostile,
    };
    const bark = { id: hostile, dog: hostile, timestamp: 1, status: hostile, reason: hostile };
    const mail = { time: 1, type: 'mail', messageId: '1', to: [hostile], subject: hostile };
    const problem = { detail: hostile, errors: [{ pointer: '/message', detail: hostile }] };
    const page = await stage.open('#activity', {
      credentials: { ...stage.signIn, user: hostile },
      prepare: async (page) => {
        await page.route(/\/activities$/, (route) =>
          route.fulfill({ contentType: 'text/event-stream', body: `data: ${JSON.stringify(mail)}\n\n` }),
        );
        await page.route(/\/v1\/dogs\/\?/, (route) => route.fulfill({ json: { dogs: [dog] } }));
        await page.route(/\/v1\/dogs\/[^?/]+\/$/, (route) =>
          route.request().method() === 'GET'
            ? route.fulfill({ json: dog })
            : route.fulfill({ status: 422, json: problem }),
        );
        await page.route(/\/barks\?/, (route) => route.fulfill({ json: { barks: [bark] } }));
        await page.route(/\/barks$/, (route) => route.fulfill({ status: 422, json: problem }));
      },
    });
    await expectText(page, 'header .user');
    await expectText(page, '[role=log] li');
    await dogLink(page, hostile).click();
    await heading(page, hostile).waitFor();
    await expectText(page, 'dd.barkCount');
    await expectText(page, '.facts');
    await field(page, 'Message').fill(hostile);
    await button(page, 'Bark').click();
    await expectText(page, '.field-error');
    await expectText(page, '.exchange pre');
    await page.route(/\/barks$/, (route) => route.fulfill({ status: 201, json: bark }));
    await button(page, 'Bark').click();
    await expectText(page, '[role=status]');
    await page.getByRole('link', { name: 'Schedule' }).click();
    await button(page, 'Set the schedule').click();
    await expectText(page, '[role=alert]');
    await page.getByRole('link', { name: 'History' }).click();
    for (const selector of ['td code', 'td .status', 'td small']) await expectText(page, selector);
    await page.getByRole('link', { name: 'Settings' }).click();
    for (const name of ['email', 'owner'] as const)
      expect(await field(page, name).inputValue()).toBe(dog[name]);
    const links = await page.evaluate('[...document.links].map((link) => link.href)');
    expect(links).not.toContainEqual(expect.stringMatching(/^javascript:/));
    await page.getByRole('link', { name: 'New dog' }).click();
    await field(page, 'ID').fill('max');
    await button(page, 'Create the dog').click();
    await expectText(page, '[role=alert]');
    await page.getByRole('link', { name: 'Requests', exact: true }).click();
    await page
      .getByRole('button', { name: /^POST .*\/barks$/ })
      .first()
      .click();
    await expectText(page, '.request-details pre');
    await page.keyboard.press('Control+k');
    await page.keyboard.type('img src');
    await expectText(page, '[role=option]');
    await page.keyboard.press('Escape');
    await page.getByRole('searchbox', { name: 'Filter the dogs by ID' }).fill(`${hostile}?`);
    await page.getByText(`No dog matches “${hostile}?”.`).waitFor();
  });

  test('remains text in the response that the page /docs shows', async () => {
    const { password } = stage.access;
    const page = await stage.open('docs', { credentials: { user: hostile, password } });
    await expectText(page, 'header .user');
    await page.route(/\/v1\/dogs\/rex$/, (route) => route.fulfill({ json: { id: hostile } }));
    await button(page, 'Try it: GetDog').click();
    const form = page.getByRole('region', { name: 'Try GetDog' });
    await form.getByLabel('dog_id').fill('rex');
    await button(form, 'Send GET').click();
    await expectText(page, '.exchange pre');
  });

  test('remains text in a mail in the inbox', async () => {
    const mail = {
      messageId: '1',
      from: hostile,
      destination: { to: [hostile], cc: [], bcc: [] },
      subject: hostile,
      body: { text: hostile, html: '' },
      at: 1,
    };
    const json: MailPage = { emails: [mail], newer: 0, matching: 1, total: 1 };
    const page = await stage.open(stage.inboxUrl, {
      prepare: async (page) => {
        await page.route(/\/mails\?/, (route) => route.fulfill({ json }));
        await page.route(/\/mails\/1$/, (route) =>
          route.request().isNavigationRequest() ? route.continue() : route.fulfill({ json: mail }),
        );
      },
    });
    for (const selector of ['article h2', 'article dd', 'article pre']) await expectText(page, selector);
    await page.getByRole('heading', { name: hostile }).getByRole('link').click();
    await expectText(page, 'article h1');
  });
});

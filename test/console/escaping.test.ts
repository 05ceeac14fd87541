import type { Page } from 'playwright-core';
import { button, describeInBrowser, dogLink, field, heading, stage } from './support.ts';

const hostile = '</pre><img src=x onerror=alert(1)>';

describeInBrowser('HTML in a text', () => {
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
        await page.route(/\/v1\/dogs\/[^?/]+\/$/, (route) => route.fulfill({ json: dog }));
        await page.route(/\/barks\?/, (route) => route.fulfill({ json: { barks: [bark] } }));
        await page.route(/\/barks$/, (route) => route.fulfill({ status: 422, json: problem }));
      },
    });
    await expectText(page, 'header .user');
    await expectText(page, '[role=log] li');
    await dogLink(page, hostile).click();
    await heading(page, hostile).waitFor();
    await expectText(page, '.facts div:first-child');
    await expectText(page, '.facts');
    await field(page, 'Message').fill(hostile);
    await button(page, 'Bark').click();
    await expectText(page, '.field-error');
    await expectText(page, '.exchange pre');
    await page.getByRole('link', { name: 'History' }).click();
    for (const selector of ['td code', 'td .badge', 'td small']) await expectText(page, selector);
    await page.getByRole('link', { name: 'Settings' }).click();
    for (const [label, value] of [
      ['Email address', dog.email],
      ['Owner', dog.owner],
    ] as const)
      expect(await field(page, label).inputValue()).toBe(value);
    const links = await page.evaluate('[...document.links].map((link) => link.href)');
    expect(links).not.toContainEqual(expect.stringMatching(/^javascript:/));
  });
});

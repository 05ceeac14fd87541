import type { Page } from 'playwright-core';
import {
  button,
  describeInDetail,
  expectAccessibleState,
  expectFocus,
  field,
  shownIn,
  stage,
  trafficOf,
} from './support.ts';

/** Waits until a field has one message, which belongs to it, and no other element of the page shows the message. */
async function expectMessage(page: Page, label: string, message: string): Promise<void> {
  await page.getByText(message, { exact: true }).first().waitFor();
  expect([label, await page.getByText(message, { exact: true }).count()]).toEqual([label, 1]);
  expect([label, await field(page, label).getAttribute('aria-invalid')]).toEqual([label, 'true']);
  const id = (await field(page, label).getAttribute('aria-describedby'))?.split(' ').at(-1);
  expect(await shownIn(page.locator(`[id="${id}"]`))).toBe(message);
}

async function openSchedule(): Promise<Page> {
  const page = await stage.enterDog('dora', {}, '/schedule');
  await page.getByRole('radio', { name: 'POST bark-schedule' }).check();
  return page;
}

/** The forms with invalid fields, the buttons that send them, and the messages of the fields. */
const invalid: readonly [string, () => Promise<Page>, string, Readonly<Record<string, string>>][] = [
  [
    'the sign-in',
    () => stage.open(),
    'Sign in',
    { 'User name': 'Enter the user name.', Password: 'Enter the password.' },
  ],
  [
    'a new dog',
    async () => {
      const page = await stage.enter('#new?id=a b');
      await page.getByLabel('emailDog').check();
      await field(page, 'owner').fill('not a reference');
      return page;
    },
    'Create the dog',
    {
      ID: 'Enter an ID of 1 to 40 letters, digits, hyphens or underscores.',
      email: 'Enter an email address, or clear the effect emailDog.',
      owner: 'Enter a URI reference without spaces, such as mailto:jane@example.com.',
    },
  ],
  [
    'a schedule',
    async () => {
      const page = await openSchedule();
      await page.getByLabel('At a time').check();
      await field(page, 'Time').fill('2020-01-01T12:00:00');
      await field(page, 'Minutes from one bark to the next').fill('1.5');
      await field(page, 'Token').fill('token');
      return page;
    },
    'Set the schedule',
    {
      Time: 'The time is in the past. Choose a later time.',
      'Minutes from one bark to the next': 'Enter a whole number of minutes, at least 1.',
      Token: 'Enter a number.',
    },
  ],
  [
    'a request',
    async () => {
      const page = await stage.enter('#requests');
      await button(page, 'New request').click();
      await field(page, 'Path').fill('v1/dogs/');
      await field(page, 'Header fields').fill('Authorization: Basic abc');
      return page;
    },
    'Send',
    {
      Path: 'The path must begin with a slash.',
      'Header fields': 'Line 1: the page adds Authorization itself.',
    },
  ],
];

describeInDetail('A form of the console', () => {
  test.each(invalid)(
    'for %s is not sent with invalid fields, and each error appears once, at its field',
    async (_, open, send, messages) => {
      const page = await open();
      const { sent } = trafficOf(page);
      await button(page, send).click();
      for (const [label, message] of Object.entries(messages)) await expectMessage(page, label, message);
      expect(await page.locator('[aria-invalid]').count()).toBe(Object.keys(messages).length);
      await expectFocus(page, Object.keys(messages)[0] ?? '');
      await expectAccessibleState(page);
      expect(sent.filter((request) => !request.startsWith('GET'))).toEqual([]);
    },
  );

  test.each<[string, () => Promise<Page>, string, string, string]>([
    ['a bark', () => stage.enterDog('carlo'), 'Bark', '**/carlo/barks', 'Message'],
    ['a new dog', () => stage.enter('#new?id=faulty'), 'Create the dog', '**/v1/dogs/faulty/', 'owner'],
    ['a schedule', openSchedule, 'Set the schedule', '**/bark-schedule', 'Token'],
  ])(
    'for %s has an error from the service once, at its field, until the user sends it again',
    async (_, open, send, url, label) => {
      const page = await open();
      const errors = [{ pointer: `/${label.toLowerCase()}`, detail: 'must be another one' }];
      await page.route(url, (route) => route.fulfill({ status: 422, json: { detail: 'No.', errors } }));
      await button(page, send).click();
      const message = page.locator('form').getByText(/must be another one/i);
      await message.waitFor();
      expect(await field(page, label).getAttribute('aria-invalid')).toBe('true');
      expect(await page.locator('form').getByRole('alert').count()).toBe(0);
      await expectAccessibleState(page);
      await page.unroute(url);
      await button(page, send).click();
      await message.waitFor({ state: 'detached' });
    },
  );
});

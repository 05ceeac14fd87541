import type { Page } from 'playwright-core';
import {
  button,
  describeInDetail,
  expectAccessibleState,
  expectFocus,
  field,
  stage,
  trafficOf,
} from './support.ts';

async function openSchedule(): Promise<Page> {
  const page = await stage.enterDog('dora', {}, '/schedule');
  await page.getByRole('radio', { name: 'POST bark-schedule' }).check();
  return page;
}

describeInDetail('A form of the console', () => {
  test.each<[string, () => Promise<Page>, string, string]>([
    ['the sign-in', () => stage.open(), 'Sign in', 'User name'],
    ['a new dog', () => stage.enter('#new?id=a b'), 'Create the dog', 'ID'],
    ['a schedule', openSchedule, 'Set the schedule', 'Token'],
  ])('for %s is not sent without a valid value in each required field', async (_, open, send, label) => {
    const page = await open();
    if (label === 'Token') await field(page, label).fill('');
    const { sent } = trafficOf(page);
    await button(page, send).click();
    await expectFocus(page, label);
    expect(await field(page, label).evaluate((input) => input.matches(':invalid'))).toBe(true);
    expect(sent.filter((request) => !request.startsWith('GET'))).toEqual([]);
  });

  test.each<[string, () => Promise<Page>, string, string, string, string]>([
    ['a bark', () => stage.enterDog('carlo'), 'Bark', '**/carlo/barks', 'Message', 'message'],
    [
      'a new dog',
      () => stage.enter('#new?id=faulty'),
      'Create the dog',
      '**/v1/dogs/faulty/',
      'Owner',
      'owner',
    ],
    ['a schedule', openSchedule, 'Set the schedule', '**/bark-schedule', 'Token', 'token'],
  ])(
    'for %s has an error from the service once, at its field, until the user sends it again',
    async (_, open, send, url, label, name) => {
      const page = await open();
      const errors = [{ pointer: `/${name}`, detail: 'must be another one' }];
      await page.route(url, (route) => route.fulfill({ status: 422, json: { detail: 'No.', errors } }));
      await button(page, send).click();
      const message = page.locator('form').getByText(/must be another one/i);
      await message.waitFor();
      expect(await field(page, label).getAttribute('aria-invalid')).toBe('true');
      await expectFocus(page, label);
      expect(await page.locator('form').getByRole('alert').count()).toBe(0);
      await expectAccessibleState(page);
      await page.unroute(url);
      await button(page, send).click();
      await message.waitFor({ state: 'detached' });
    },
  );
});

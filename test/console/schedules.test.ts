import type { Page } from 'playwright-core';
import { dogAt } from '../support/client.ts';
import { button, cardOf, describeInBrowser, shownIn, stage } from './support.ts';

async function openSchedule(dog: string, variant = 'B'): Promise<Page> {
  const page = await stage.enterDog(dog, {}, '/schedule');
  await page.getByRole('radio', { name: variant === 'B' ? 'PATCH the dog' : 'POST bark-schedule' }).check();
  return page;
}

const card = (page: Page) => cardOf(page, 'Schedule');
const press = (page: Page, name: string) => button(card(page), name).click();
const numberField = (page: Page, name: string) => card(page).getByRole('spinbutton', { name, exact: true });
const minutes = (page: Page) => numberField(page, 'Minutes from one bark to the next');
/** Returns the last exchange. The page also shows the next request. */
const sent = (page: Page) => card(page).locator('.exchange', { hasNotText: 'not sent yet' });
const expectStatus = (page: Page, status: string) => sent(page).getByText(status).first().waitFor();
const expectText = (page: Page, text: RegExp | string) => card(page).getByText(text).first().waitFor();

describeInBrowser('A schedule in the console', () => {
  const barksOf = async (dog: string) => (await dogAt(stage.client, `/v1/dogs/${dog}/`)).barks;

  test('is set, changed and ended by PATCH of the dog, and the next bark is visible', async () => {
    const page = await openSchedule('bea');
    await expectText(page, 'No bark is scheduled.');
    await minutes(page).fill('10');
    await press(page, 'Set the schedule');
    await expectStatus(page, '205 Reset Content');
    await expectText(page, 'The dog barked. It will bark again every 10 minutes.');
    await expectText(page, /The next scheduled bark is in (9|10) minutes, on .*, then every 10 minutes\./);
    await expectText(page, /Times are in Europe\/Berlin\./);
    await page
      .locator('.facts')
      .getByText(/in (9|10) minutes/)
      .waitFor();
    expect(await barksOf('bea')).toMatchObject({ previous: [expect.any(Number)], frequency: 10 });
    expect(await shownIn(sent(page))).toMatch(/If-Unmodified-Since: \w{3}, \d\d \w{3} .* GMT/);

    const inTwoHours = await page.evaluate(
      'new Date(Date.now() + 7_200_000).toLocaleString("sv").slice(0, 16)',
    );
    await card(page).getByLabel('First bark', { exact: true }).fill(String(inTwoHours).replace(' ', 'T'));
    await minutes(page).fill('');
    await press(page, 'Set the schedule');
    await expectText(page, 'The service applied the schedule.');
    await expectText(page, /The next scheduled bark is in (1 hour|2 hours), on .*, and is not repeated\./);
    expect(await barksOf('bea')).not.toHaveProperty('frequency');

    await press(page, 'End the schedule');
    await expectText(page, 'The service ended the schedule.');
    await expectText(page, 'No bark is scheduled.');
    expect(await shownIn(sent(page))).toContain('"barks": null');
    expect(await barksOf('bea')).toEqual({ previous: [expect.any(Number)] });
  });

  test('is set, replaced and ended by bark-schedule', async () => {
    const page = await openSchedule('cleo', 'C');
    const token = await numberField(page, 'Token').inputValue();
    expect(token).toMatch(/^\d+$/);
    await minutes(page).fill('10');
    await press(page, 'Set the schedule');
    await expectText(page, 'The dog barked. It will bark again every 10 minutes.');
    expect(await shownIn(sent(page))).toContain(`"token": ${token}`);
    await expectText(page, /then every 10 minutes\./);

    expect(await numberField(page, 'Token').inputValue()).not.toBe(token);
    await minutes(page).fill('3');
    await press(page, 'Set the schedule');
    await expectText(page, /then every 3 minutes\./);
    await press(page, 'Send again');
    await expectText(page, 'The page sent the same request again.');

    await press(page, 'End the schedule');
    await expectStatus(page, '204 No Content');
    await expectText(page, 'No bark is scheduled.');
  });
});

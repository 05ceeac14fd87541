import type { Page } from 'playwright-core';
import { type BarkSchedule, documentOf, dogAt, type Problem } from '../support/client.ts';
import { cardOf, describeInBrowser, focused, Stage, shownIn } from './support.ts';

describeInBrowser('A schedule in the console', () => {
  const stage = new Stage();

  /** Creates a dog and opens its schedule. */
  async function openSchedule(dog: string, variant = 'B'): Promise<Page> {
    await stage.client.put(`/v1/dogs/${dog}/`, {});
    const page = await stage.enter(`#dogs/${dog}/schedule`, { timezoneId: 'Europe/Berlin' });
    await page.getByRole('radio', { name: variant === 'B' ? 'PATCH the dog' : 'POST bark-schedule' }).check();
    return page;
  }

  const card = (page: Page) => cardOf(page, 'Schedule');
  const press = (page: Page, name: string) => card(page).getByRole('button', { name, exact: true }).click();
  const field = (page: Page, name: string) => card(page).getByRole('textbox', { name, exact: true });
  const minutes = (page: Page) => field(page, 'Minutes from one bark to the next');
  /** Returns the last exchange. The page also shows the next request. */
  const sent = (page: Page) => card(page).locator('.exchange', { hasNotText: 'not sent yet' });
  const expectStatus = (page: Page, status: string) => sent(page).getByText(status).first().waitFor();
  const expectText = (page: Page, text: RegExp | string) => card(page).getByText(text).first().waitFor();
  const barksOf = async (dog: string) => (await dogAt(stage.client, `/v1/dogs/${dog}/`)).barks;

  test('is set, changed and ended by PATCH of the dog, and the next bark is visible', async () => {
    const page = await openSchedule('bea');
    await expectText(page, 'No bark is scheduled.');
    await press(page, 'Set the schedule');
    await expectStatus(page, '205 Reset Content');
    await expectText(page, 'The schedule is set.');
    await expectText(page, /The next bark is in (9|10) minutes, on .*, then every 10 minutes\./);
    await expectText(page, /Times are in Europe\/Berlin \(UTC\+\d\)\./);
    await page
      .locator('.facts')
      .getByText(/in (9|10) minutes/)
      .waitFor();
    expect(await barksOf('bea')).toMatchObject({ previous: [expect.any(Number)], frequency: 10 });
    expect(await shownIn(sent(page))).toMatch(/If-Unmodified-Since: \w{3}, \d\d \w{3} .* GMT/);

    await card(page).getByLabel('At a time').check();
    await card(page).getByLabel('Bark once').check();
    await press(page, 'Set the schedule');
    await expectText(page, /The next bark is in (59 minutes|1 hour), on .*, once\./);
    expect(await barksOf('bea')).not.toHaveProperty('frequency');

    await press(page, 'End the schedule');
    await expectText(page, 'The schedule has ended.');
    await expectText(page, 'No bark is scheduled.');
    expect(await shownIn(sent(page))).toContain('"barks": null');
    expect(await barksOf('bea')).toEqual({ previous: [expect.any(Number)] });
  });

  test('begins at the time that the user enters in the local time zone', async () => {
    const page = await openSchedule('bob');
    await card(page).getByLabel('At a time').check();
    const summer = new Date().getUTCFullYear() + 1;
    await card(page).getByLabel('Time', { exact: true }).fill(`${summer}-07-01T12:00:00`);
    await press(page, 'Set the schedule');
    await expectText(page, `on 1 Jul ${summer}, 12:00:00, then every 10 minutes.`);
    expect(await barksOf('bob')).toMatchObject({ next: Date.UTC(summer, 6, 1, 10) / 1000 });
  });

  test('does not change if the page sends the same PATCH again, with the same date and body', async () => {
    const page = await openSchedule('ben');
    await press(page, 'Set the schedule');
    await expectStatus(page, '205 Reset Content');
    const before = await barksOf('ben');
    await press(page, 'Send again');
    await expectStatus(page, '204 No Content');
    await expectText(page, 'The page sent the same date and body again.');
    expect(await barksOf('ben')).toEqual(before);
  });

  test('is set, read, replaced and ended by bark-schedule', async () => {
    const page = await openSchedule('cleo', 'C');
    const token = await field(page, 'Token').inputValue();
    expect(token).toMatch(/^\d+$/);
    await press(page, 'Set the schedule');
    await expectText(page, 'The schedule is set.');
    expect(await shownIn(sent(page))).toContain(`"token": ${token}`);
    await expectText(page, /then every 10 minutes\./);

    await press(page, 'Read the schedule');
    await expectText(page, 'The response contains the schedule.');
    const { last, next } = documentOf<BarkSchedule>(await stage.client.get('/v1/dogs/cleo/bark-schedule'));
    expect(await shownIn(sent(page))).toContain(`"next": ${next}`);
    expect(next).toBe((last ?? 0) + 600);

    expect(await field(page, 'Token').inputValue()).not.toBe(token);
    await minutes(page).fill('3');
    await press(page, 'Set the schedule');
    await expectText(page, /then every 3 minutes\./);
    const before = await barksOf('cleo');
    expect(before).toMatchObject({ frequency: 3 });

    await press(page, 'Send again');
    await expectText(page, 'The page sent the same token and content again.');
    expect(await barksOf('cleo')).toEqual(before);

    await press(page, 'End the schedule');
    await expectStatus(page, '204 No Content');
    await expectText(page, 'No bark is scheduled.');
    expect(await barksOf('cleo')).not.toHaveProperty('next');
  });

  test('is not set with a token that another schedule has had, and the error is at the field', async () => {
    const page = await openSchedule('coco', 'C');
    await field(page, 'Token').fill('42');
    await press(page, 'Set the schedule');
    await expectText(page, 'The schedule is set.');
    await field(page, 'Token').fill('42');
    await minutes(page).fill('20');
    await press(page, 'Set the schedule');
    await expectStatus(page, '422 Unprocessable Content');
    const { errors = [] } = documentOf<Problem>(
      await stage.client.post('/v1/dogs/coco/bark-schedule', { token: 42, next: 0, frequency: 20 }),
    );
    expect(errors.map(({ pointer }) => pointer)).toEqual(['/token']);
    expect(await card(page).getByText(`This value ${errors[0]?.detail}.`, { exact: true }).count()).toBe(1);
    expect(await field(page, 'Token').getAttribute('aria-invalid')).toBe('true');
  });

  test.each(['B', 'C'])(
    'of variant %s is not sent with invalid fields, and each error appears once, at the field',
    async (variant) => {
      const dog = `dora-${variant}`;
      const page = await openSchedule(dog, variant);
      const methods: string[] = [];
      page.on('request', (request) => request.method() !== 'GET' && methods.push(request.method()));
      await card(page).getByLabel('At a time').check();
      await card(page).getByLabel('Time', { exact: true }).fill('2020-01-01T12:00:00');
      await minutes(page).fill('1.5');
      const messages = ['The time is in the past. Choose a later time.', 'Enter whole minutes, at least 1.'];
      if (variant === 'C') {
        await field(page, 'Token').fill('token');
        messages.push('Enter a number.');
      }
      await press(page, 'Set the schedule');
      for (const message of messages) {
        await expectText(page, message);
        expect([message, await page.getByText(message, { exact: true }).count()]).toEqual([message, 1]);
      }
      expect(await card(page).locator('[aria-invalid]').count()).toBe(messages.length);
      expect(await focused(page)).toBe('Time');
      expect(methods).toEqual([]);
      await minutes(page).fill('20');
      await card(page).getByText('Enter whole minutes').waitFor({ state: 'detached' });
    },
  );

  test('is not lost if the user opens another view before sending', async () => {
    const page = await openSchedule('dot');
    await minutes(page).fill('25');
    await page.getByRole('link', { name: 'History' }).click();
    await cardOf(page, 'History').waitFor();
    await page.getByRole('link', { name: 'Schedule' }).click();
    expect(await minutes(page).inputValue()).toBe('25');
  });
});

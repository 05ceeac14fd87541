import type { Page } from 'playwright-core';
import { type BarkSchedule, documentOf, dogAt } from '../support/client.ts';
import { cardOf, describeInBrowser, exchangeOf, Stage, shownIn } from './support.ts';

describeInBrowser('A schedule in the console', () => {
  const stage = new Stage();

  /** Creates a dog and opens its view. */
  async function openDog(name: string): Promise<Page> {
    await stage.client.put(`/v1/dogs/${name}/`, {});
    return stage.enter(`#dogs/${name}`);
  }

  const schedule = (page: Page) => cardOf(page, 'Schedule');
  const press = (page: Page, name: string) => schedule(page).getByRole('button', { name }).click();
  const expectStatus = (page: Page, status: string) =>
    exchangeOf(page, 'Schedule').locator('.badge', { hasText: status }).waitFor();
  const expectMessage = (page: Page, message: RegExp) => schedule(page).getByText(message).first().waitFor();
  const barksOf = async (name: string) => (await dogAt(stage.client, `/v1/dogs/${name}/`)).barks;

  test('is set, changed and ended by PATCH of the dog', async () => {
    const page = await openDog('bea');
    await press(page, 'Set the schedule');
    await expectStatus(page, '205 Reset Content');
    await expectMessage(page, /The next bark is in (9|10) minutes, .*, then every 10 minutes\./);
    expect(await barksOf('bea')).toMatchObject({ previous: [expect.any(Number)], frequency: 10 });
    expect(await shownIn(exchangeOf(page, 'Schedule'))).toMatch(
      /If-Unmodified-Since: \w{3}, \d\d \w{3} .* GMT/,
    );
    await cardOf(page, 'The dog')
      .getByRole('img', { name: /One bark .* then every 10 minutes/ })
      .waitFor();
    expect(await page.locator('.timeline .past').count()).toBe(1);
    expect(await page.locator('.timeline .coming').count()).toBe(8);

    await schedule(page).getByLabel('at the time below').check();
    await schedule(page).getByLabel('frequency').fill('');
    await press(page, 'Set the schedule');
    await expectStatus(page, '205 Reset Content');
    await expectMessage(page, /The next bark is in (59 minutes|1 hour), .*, then every 10 minutes\./);

    await press(page, 'End the schedule');
    await expectStatus(page, '205 Reset Content');
    await expectMessage(page, /No bark is scheduled\./);
    expect(await shownIn(exchangeOf(page, 'Schedule'))).toContain('"barks": null');
    expect(await barksOf('bea')).toEqual({ previous: [expect.any(Number)] });
  });

  test('is not set with a frequency that is not a number, and the card shows the reason', async () => {
    const page = await openDog('bo');
    await schedule(page).getByLabel('frequency').fill('10 min');
    await press(page, 'Set the schedule');
    await expectStatus(page, '403 Forbidden');
    await expectMessage(page, /whole number of minutes/);
    expect(await barksOf('bo')).toBeUndefined();
  });

  test('does not change if the same PATCH is sent again, with the same date and body', async () => {
    const page = await openDog('ben');
    await press(page, 'Set the schedule');
    await expectStatus(page, '205 Reset Content');
    const before = await barksOf('ben');
    await press(page, 'Send it again');
    await expectStatus(page, '204 No Content');
    expect(await barksOf('ben')).toEqual(before);
  });

  test('is set, read, replaced and ended by bark-schedule', async () => {
    const page = await openDog('cleo');
    await schedule(page).getByLabel('POST bark-schedule').check();
    const token = await schedule(page).getByRole('textbox', { name: 'token' }).inputValue();
    expect(token).toMatch(/^\d+$/);
    await press(page, 'Set the schedule');
    await expectStatus(page, '205 Reset Content');
    expect(await shownIn(exchangeOf(page, 'Schedule'))).toContain(`"token": ${token}`);
    await expectMessage(page, /then every 10 minutes\./);

    await press(page, 'Read the schedule');
    await expectStatus(page, '200 OK');
    const { last, next } = documentOf<BarkSchedule>(await stage.client.get('/v1/dogs/cleo/bark-schedule'));
    expect(await shownIn(exchangeOf(page, 'Schedule'))).toContain(`"next": ${next}`);
    expect(next).toBe((last ?? 0) + 600);

    expect(await schedule(page).getByRole('textbox', { name: 'token' }).inputValue()).not.toBe(token);
    await schedule(page).getByLabel('frequency').fill('3');
    await press(page, 'Set the schedule');
    await expectMessage(page, /then every 3 minutes\./);
    expect(await barksOf('cleo')).toMatchObject({ frequency: 3 });

    await press(page, 'End the schedule');
    await expectStatus(page, '204 No Content');
    await expectMessage(page, /No bark is scheduled\./);
    expect(await barksOf('cleo')).not.toHaveProperty('next');
  });

  test('is not set with the token of another schedule, and the card shows the problem of the service', async () => {
    const page = await openDog('coco');
    await schedule(page).getByLabel('POST bark-schedule').check();
    await schedule(page).getByRole('textbox', { name: 'token' }).fill('42');
    await press(page, 'Set the schedule');
    await expectStatus(page, '205 Reset Content');
    await schedule(page).getByRole('textbox', { name: 'token' }).fill('42');
    await schedule(page).getByLabel('frequency').fill('20');
    await press(page, 'Set the schedule');
    await expectStatus(page, '422 Unprocessable Content');
    const problem = documentOf<{ detail: string }>(
      await stage.client.post('/v1/dogs/coco/bark-schedule', { token: 42, next: 0, frequency: 20 }),
    );
    await schedule(page).getByText(problem.detail, { exact: true }).waitFor();
  });

  test.each([
    ['PATCH the dog', '403 Forbidden'],
    ['POST bark-schedule', '422 Unprocessable Content'],
  ])(
    'is not set with an invalid frequency by %s, and the error is beside the field',
    async (request, status) => {
      const page = await openDog('dora');
      await schedule(page).getByLabel(request).check();
      await schedule(page).getByLabel('frequency').fill('1.5');
      await press(page, 'Set the schedule');
      await expectStatus(page, status);
      const frequency = schedule(page).getByLabel('frequency');
      expect(await frequency.getAttribute('aria-invalid')).toBe('true');
      const described = (await frequency.getAttribute('aria-describedby'))?.split(' ').at(-1);
      expect(await shownIn(page.locator(`[id="${described}"]`))).toMatch(/^must be /);
    },
  );
});

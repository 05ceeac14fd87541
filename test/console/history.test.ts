import type { Page } from 'playwright-core';
import { button, cardOf, describeInDetail, expectAccessibleState, shownIn, sizes, stage } from './support.ts';

const latest = Date.UTC(2026, 10, 22, 12, 0, 0) / 1000;

describeInDetail('The history of barks', () => {
  /** Opens the history of a dog that has barked, by default every ten minutes, a minute after the last bark. */
  async function openHistory(
    total: number,
    schedule: object = {},
    timeOf = (number: number) => latest - (total - number) * 600,
  ) {
    let count = total;
    /** Returns the numbers of the barks from one on, newest first. */
    const numbersFrom = (newest: number) =>
      Array.from({ length: Math.min(100, newest) }, (_, i) => newest - i);
    const settings = { id: 'hank', barkEffects: ['record'], barkHandling: 'sync' };
    const prepare = async (page: Page) => {
      await page.route('**/v1/dogs/hank/', (route) => {
        const tag = `"${count}"`;
        if (route.request().headers()['if-none-match'] === tag) return route.fulfill({ status: 304 });
        const barks = { previous: numbersFrom(count).map(timeOf).reverse(), ...schedule };
        return route.fulfill({ json: { ...settings, barkCount: count, barks }, headers: { ETag: tag } });
      });
      await page.route('**/v1/dogs/hank/barks?**', (route) => {
        const before = Number(new URL(route.request().url()).searchParams.get('before') ?? count + 1);
        const numbers = numbersFrom(before - 1);
        const oldest = numbers.at(-1) ?? 1;
        const barks = numbers.map((number) => ({
          id: `bark-${number}`,
          dog: 'hank',
          timestamp: timeOf(number),
          status: 'complete',
        }));
        const url = `${stage.access.base_url}/v1/dogs/hank/barks?limit=100&before=${oldest}`;
        return route.fulfill({
          json: { barks },
          headers: oldest > 1 ? { Link: `<${url}>; rel="next"` } : {},
        });
      });
    };
    const clock = (latest + 60) * 1000;
    const page = await stage.enter('#dogs/hank/history', { clock, timezoneId: 'Asia/Tokyo', prepare });
    await card(page).locator('tbody tr').first().waitFor();
    const bark = async () => {
      count += 1;
      await page.clock.fastForward(2_000);
    };
    return { page, bark };
  }

  const card = (page: Page) => cardOf(page, 'History');
  const extent = (page: Page, text: string) =>
    card(page).locator('.extent').getByText(text, { exact: true }).waitFor();
  const chart = (page: Page) =>
    card(page).getByRole('group', { name: /The arrow keys move through the chart/ });
  const marks = (page: Page) => chart(page).getByRole('img');
  const tooltip = (page: Page) => card(page).locator('.tooltip');

  test('has the same times in the chart, in its tooltips and in the table, in a named time zone', async () => {
    const { page } = await openHistory(10);
    await extent(page, 'All 10 known barks');
    const labels = await chart(page).locator('.axis + text').allTextContents();
    expect(labels.length).toBeGreaterThanOrEqual(3);
    for (const label of labels) expect(label).toMatch(/^\d\d:\d\d(:\d\d)?$/);
    // The first label contains the date.
    expect(await chart(page).locator('.context').first().textContent()).toMatch(/^2[12] Nov 2026$/);
    await card(page).getByText('Times are in Asia/Tokyo (UTC+9).').waitFor();
    expect(await marks(page).count()).toBe(10);
    expect(await shownIn(card(page).locator('tbody tr').first())).toMatch(
      /^22 Nov 2026, 21:00:00\s+1 minute ago\s+complete\s+bark-10/,
    );

    await marks(page).last().hover();
    await tooltip(page).getByText('22 Nov 2026, 21:00:00').waitFor();
    expect(await shownIn(tooltip(page))).toMatch(/^1 bark\s+22 Nov 2026, 21:00:00\s+1 minute ago$/);
    await page.mouse.move(0, 0);
    await tooltip(page).waitFor({ state: 'detached' });
    await marks(page).first().focus();
    await tooltip(page).getByText('22 Nov 2026, 19:30:00').waitFor();
    await page.keyboard.press('ArrowRight');
    await tooltip(page).getByText('22 Nov 2026, 19:40:00').waitFor();
    await page.keyboard.press('End');
    await tooltip(page).getByText('22 Nov 2026, 21:00:00').waitFor();
    await page.locator('[aria-label="1 bark, 22 Nov 2026, 21:00:00, 1 minute ago"]:focus').waitFor();
    await page.keyboard.press('Escape');
    await tooltip(page).waitFor({ state: 'detached' });
  });

  test('states the same age of the last bark everywhere, which is right each second', async () => {
    const { page } = await openHistory(1, {}, () => latest + 50);
    await page.clock.pauseAt((latest + 80) * 1000);
    for (const seconds of [31, 32, 33]) {
      await page.clock.runFor(1_000);
      const age = `${seconds} seconds ago`;
      await page.locator('.facts').getByText(age, { exact: true }).waitFor();
      await card(page).getByText(`The last known bark was ${age}.`).waitFor();
      await card(page).getByRole('cell', { name: age, exact: true }).waitFor();
    }
  });

  test('shows the counts of barks and of scheduled barks in the same bar, and the next barks of the schedule', async () => {
    const schedule = { next: latest + 630, frequency: 10 };
    const { page } = await openHistory(300, schedule, (number) => latest - 86_400 + number * 288);
    await extent(page, 'All 300 known barks');
    await card(page).getByText('The next scheduled bark is in 9 minutes, on 22 Nov 2026, 21:10:30').waitFor();
    await page.setViewportSize(sizes.narrow);
    await chart(page)
      .locator('.number')
      .getByText(/^\d+\+\d+$/)
      .waitFor();
    await marks(page).last().focus();
    await tooltip(page)
      .getByText(/^\d scheduled barks$/)
      .waitFor();
  });

  test('loads 1,000 barks while the user looks, and keeps them after a new bark', async () => {
    const { page, bark } = await openHistory(10_000);
    await extent(page, 'The latest 1,000 known barks (10,000 counted)');
    await bark();
    await extent(page, 'The latest 1,001 known barks (10,001 counted)');
    await card(page).locator('tbody tr').first().getByText('bark-10001').waitFor();
    await card(page).getByText('1–20 of 1,001').waitFor();
    await button(card(page), 'Older →').click();
    await card(page).locator('tbody tr').first().getByText('bark-9981').waitFor();
    // A new bark does not move the rows of the page that the user is reading.
    await bark();
    await card(page).getByText('22–41 of 1,002').waitFor();
    await card(page).locator('tbody tr').first().getByText('bark-9981').waitFor();
  });

  test('zooms to a burst, shows it as bars with counts, and zooms into one of them', async () => {
    const burst = (number: number) => latest - 7_200 + (number === 1 ? -86_400 : Math.floor(number / 100));
    const { page } = await openHistory(300, {}, burst);
    await extent(page, 'All 300 known barks');
    await card(page).getByText('The peak is 299 barks within 3 seconds').waitFor();
    expect(await marks(page).allTextContents()).toEqual(['1', '299']);
    await chart(page).getByText('← 1 day →').waitFor();
    await expectAccessibleState(page);
    await page.setViewportSize(sizes.medium);
    await marks(page).last().focus();
    await page.keyboard.press('Enter');
    await card(page).getByText('Outside the chart: 1 known bark.').waitFor();
    expect(await marks(page).allTextContents()).toEqual(['98', '100', '100', '1']);
    await page.locator('[role=img]:focus').waitFor();
    await expectAccessibleState(page);
    await button(card(page), 'Zoom out').click();
    await chart(page).getByText('← 1 day →').waitFor();
  });

  test('states the reason if older barks cannot be loaded, and keeps the loaded ones', async () => {
    const { page } = await openHistory(300);
    const detail = 'The service is busy. Send the request again.';
    await page.route('**/barks?**before=**', (route) => route.fulfill({ status: 503, json: { detail } }));
    await page.reload();
    await card(page).getByRole('alert').getByText(detail).waitFor();
    await extent(page, 'The latest 100 known barks (300 counted)');
    await page.unroute('**/barks?**before=**');
    await button(card(page), 'Load older barks').click();
    await extent(page, 'All 300 known barks');
  });
});

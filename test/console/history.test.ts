import type { Page } from 'playwright-core';
import { button, cardOf, describeInDetail, expectAccessibleState, shownIn, stage } from './support.ts';

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
  const extent = (page: Page, text: string) => card(page).getByText(text, { exact: true }).waitFor();
  const chart = (page: Page) => card(page).getByRole('img');

  test('has the same times in the chart and in the table, in a named time zone', async () => {
    const { page } = await openHistory(10);
    await extent(page, 'All 10 known barks');
    await card(page).getByText('Times are in Asia/Tokyo.').waitFor();
    expect(await chart(page).getAttribute('aria-label')).toBe(
      'The highest bar is 1 bark, from 22 Nov 2026, 19:30:00.',
    );
    expect(await chart(page).locator('title').last().textContent()).toBe(
      '1 bark, from 22 Nov 2026, 20:58:31',
    );
    expect(await shownIn(card(page).locator('tbody tr').first())).toMatch(
      /^22 Nov 2026, 21:00:00\s+1 minute ago\s+complete\s+bark-10/,
    );
    await expectAccessibleState(page);
  });

  test('states the same age of the last bark everywhere, which is right each second', async () => {
    const { page } = await openHistory(1, {}, () => latest + 50);
    await page.clock.pauseAt((latest + 80) * 1000);
    for (const seconds of [31, 32, 33]) {
      await page.clock.runFor(1_000);
      const age = `${seconds} seconds ago`;
      await page.locator('.facts').getByText(age, { exact: true }).waitFor();
      await card(page).getByRole('cell', { name: age, exact: true }).waitFor();
    }
  });

  test('loads older barks when the user asks for them, and keeps them after a new bark', async () => {
    const { page, bark } = await openHistory(10_000);
    await extent(page, 'The latest 100 known barks (10,000 counted)');
    await button(card(page), 'Load older barks').click();
    await extent(page, 'The latest 200 known barks (10,000 counted)');
    await bark();
    await extent(page, 'The latest 201 known barks (10,001 counted)');
    await card(page).locator('tbody tr').first().getByText('bark-10001').waitFor();
  });

  test('states the reason if older barks cannot be loaded, and keeps the loaded ones', async () => {
    const { page } = await openHistory(300);
    const detail = 'The service is busy. Send the request again.';
    await page.route('**/barks?**before=**', (route) => route.fulfill({ status: 503, json: { detail } }));
    await button(card(page), 'Load older barks').click();
    await card(page).getByRole('alert').getByText(detail).waitFor();
    await extent(page, 'The latest 100 known barks (300 counted)');
    await page.unroute('**/barks?**before=**');
    await button(card(page), 'Load older barks').click();
    await extent(page, 'The latest 200 known barks (300 counted)');
  });
});

import type { Page } from 'playwright-core';
import { button } from './browser.ts';
import type { Stage } from './support.ts';

export const list = (page: Page) => page.getByRole('region', { name: 'All requests' });
export const items = (page: Page) => list(page).getByRole('listitem');
export const details = (page: Page) => page.locator('.request-details');

/** Creates a dog, makes it bark in its view, and opens the view of requests. */
export async function barkAndOpen(stage: Stage, id: string, key = ''): Promise<Page> {
  const page = await stage.enterDog(id);
  await page.getByLabel('Idempotency-Key').fill(key);
  await button(page, 'Bark').click();
  await page.getByText('201 Created').first().waitFor();
  await page.getByRole('link', { name: 'Requests', exact: true }).click();
  return page;
}

import type { Page } from 'playwright-core';
import { button, cardOf } from './browser.ts';
import type { Stage } from './support.ts';

/** Creates a dog and opens its schedule. */
export async function openSchedule(stage: Stage, dog: string, variant = 'B'): Promise<Page> {
  const page = await stage.enterDog(dog, {}, '/schedule');
  await page.getByRole('radio', { name: variant === 'B' ? 'PATCH the dog' : 'POST bark-schedule' }).check();
  return page;
}

export const card = (page: Page) => cardOf(page, 'Schedule');
export const press = (page: Page, name: string) => button(card(page), name).click();
export const textField = (page: Page, name: string) => card(page).getByRole('textbox', { name, exact: true });
export const minutes = (page: Page) => textField(page, 'Minutes from one bark to the next');
/** Returns the last exchange. The page also shows the next request. */
export const sent = (page: Page) => card(page).locator('.exchange', { hasNotText: 'not sent yet' });
export const expectStatus = (page: Page, status: string) => sent(page).getByText(status).first().waitFor();
export const expectText = (page: Page, text: RegExp | string) => card(page).getByText(text).first().waitFor();

import type { Page } from 'playwright-core';
import { cardOf, exchangeOf } from './browser.ts';

/** The card with which the user makes a dog bark. */
export const barkCard = (page: Page) => cardOf(page, 'Make it bark');
export const barkExchange = (page: Page) => exchangeOf(page, 'Make it bark');
/** Returns the result of a bark with a text. */
export const result = (page: Page, text: string | RegExp) =>
  barkCard(page).getByRole('status').filter({ hasText: text }).first();
/** Returns the last asynchronous bark. */
export const watched = (page: Page) =>
  page.getByRole('list', { name: 'Asynchronous barks' }).getByRole('listitem').first();
export const facts = (page: Page) => page.locator('.facts');

/** Waits until the page shows a number of barks. */
export const showsCount = (page: Page, barks: number) =>
  facts(page).getByText(`${barks} counted`, { exact: true }).waitFor();

export const activities = (page: Page) => page.getByRole('log', { name: 'Activities' });
/** Returns the activities with a text. */
export const entry = (page: Page, text: string | RegExp) =>
  activities(page).getByRole('listitem').filter({ hasText: text });

import type { Locator } from 'playwright-core';
import { eventually } from '../support/client.ts';
import { describeInBrowser, Stage } from './support.ts';

const viewport = { width: 1280, height: 720 };

describeInBrowser('The list of dogs', () => {
  const stage = new Stage();

  /** Returns true if all of an element is in the window. */
  async function isInWindow(element: Locator): Promise<boolean> {
    const box = await element.boundingBox();
    return box !== null && box.y >= 0 && box.y + box.height <= viewport.height;
  }

  test('scrolls to the open dog, and the filter stays visible', async () => {
    for (let i = 0; i < 30; i++) await stage.client.put(`/v1/dogs/dog-${i}/`, {});
    const page = await stage.enter('#dogs/message-sync', { viewport });
    const list = page.getByRole('navigation', { name: 'Dogs' });
    const openDog = list.getByRole('link', { name: /^message-sync/ });
    await eventually(async () => expect(await isInWindow(openDog)).toBe(true), { deadline: 5_000 });
    expect(await isInWindow(list.getByRole('searchbox'))).toBe(true);
    expect(await page.evaluate('scrollY')).toBe(0);
  });
});

import type { Page } from 'playwright-core';
import { field } from './browser.ts';
import type { Stage, StageOptions } from './support.ts';

/** Opens the view of tokens and pastes the content of `access.json`. */
export async function enterWithParameters(stage: Stage, options: StageOptions = {}): Promise<Page> {
  const page = await stage.enter('#tokens', options);
  await field(page, 'client_id').focus();
  await page.evaluate(`{
    const clipboardData = new DataTransfer();
    clipboardData.setData('text', ${JSON.stringify(JSON.stringify(stage.access))});
    const event = new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true });
    document.activeElement.dispatchEvent(event);
  }`);
  await page.getByText('The page filled in the values from the pasted JSON.').waitFor();
  return page;
}

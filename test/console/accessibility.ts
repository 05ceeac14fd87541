import type { Page } from 'playwright-core';
import { button, type Stage } from './support.ts';
import { type View, views } from './views.ts';

/** Opens the console in a state. */
export async function openView(stage: Stage, name: keyof typeof views): Promise<Page> {
  const view: View = views[name];
  const page = await (view.isSignedOut ? stage.open() : stage.follow(view.address));
  await view.show(page, stage.client, stage.access);
  return page;
}

/** Opens the page `/docs` with a guide, an operation with its form, and a problem. */
export async function openDocs(stage: Stage): Promise<Page> {
  const page = await stage.open('docs');
  await button(page, 'Try it: GetDog').click();
  // A check of all articles takes several seconds.
  const kept = ['first-bark', 'GetDog', 'problem-empty-body'].map((id) => `[aria-labelledby="${id}"]`);
  await page.evaluate(
    `for (const one of document.querySelectorAll('main article')) if (!one.matches('${kept}')) one.remove()`,
  );
  return page;
}

/** Opens the inbox with emails. `createDogs` has sent them. */
export async function openInbox(stage: Stage): Promise<Page> {
  const page = await stage.open(stage.inboxUrl);
  await page.getByRole('article').first().waitFor();
  return page;
}

import { button } from './browser.ts'; // @extension docs
import { describeInBrowser, expectAccessible, expectAccessibleState, stage } from './support.ts';
import { createDogs, shapes, type View, views } from './views.ts';

/** The complete run checks all views, in windows of every size. */
const isComplete = process.env.TESTS === 'all';
const checked = Object.entries<View>(isComplete ? views : shapes);
const check = isComplete ? expectAccessibleState : expectAccessible;

describeInBrowser('Without an accessibility violation, in light and dark', () => {
  beforeAll(() => createDogs(stage.client));

  test.each(checked)('the console shows the view "%s"', async (_, view) => {
    const open = { none: stage.open, password: stage.enter, link: stage.follow }[view.session ?? 'link'];
    const page = await open.call(stage, view.address);
    for (const step of view.steps) await step(page, stage.access);
    await check(page);
  });

  // @extension docs {
  test('the page /docs shows a guide, an operation with its form, and a problem', async () => {
    const page = await stage.open('docs');
    // A search for the button in the whole page takes longer.
    await button(page.locator('[aria-labelledby=GetDog]'), 'Try it: GetDog').click();
    // A check of all articles takes several seconds.
    const kept = ['first-bark', 'GetDog', 'problem-empty-body'].map((id) => `[aria-labelledby="${id}"]`);
    await page.evaluate(
      `for (const one of document.querySelectorAll('main article, #contents li:nth-child(n + 3)'))
        if (!one.matches('${kept}')) one.remove()`,
    );
    await check(page);
  });
  // @extension docs }

  test('the inbox shows emails', async () => {
    const page = await stage.open(stage.inboxUrl);
    await page.getByRole('article').first().waitFor();
    await check(page);
  });
});

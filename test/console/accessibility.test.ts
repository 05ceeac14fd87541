import { openDocs, openInbox, openView } from './accessibility.ts';
import { describeInBrowser, expectAccessible, Stage } from './support.ts';
import { createDogs, shapes } from './views.ts';

describeInBrowser('Without an accessibility violation, in light and dark', () => {
  const stage = new Stage();

  beforeAll(() => createDogs(stage.client));

  test.each(shapes)('the console shows the view "%s"', async (name) => {
    await expectAccessible(await openView(stage, name));
  });

  test('the page /docs shows a guide, an operation with its form, and a problem', async () => {
    await expectAccessible(await openDocs(stage));
  });

  test('the inbox shows emails', async () => {
    await expectAccessible(await openInbox(stage));
  });
});

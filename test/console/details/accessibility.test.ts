import { openDocs, openInbox, openView } from '../accessibility.ts';
import { describeInBrowser, expectAccessibleState, expectAccessibleWhenNarrow, Stage } from '../support.ts';
import { createDogs, shapes, states } from '../views.ts';

describeInBrowser('Without an accessibility violation in any size of the window', () => {
  const stage = new Stage();

  beforeAll(() => createDogs(stage.client));

  test.each(states)('the console shows the view "%s", in light and dark', async (name) => {
    await expectAccessibleState(await openView(stage, name));
  });

  test.each(shapes)('the console shows the view "%s"', async (name) => {
    await expectAccessibleWhenNarrow(await openView(stage, name));
  });

  test('the page /docs shows a guide, an operation with its form, and a problem', async () => {
    await expectAccessibleWhenNarrow(await openDocs(stage));
  });

  test('the inbox shows emails', async () => {
    await expectAccessibleWhenNarrow(await openInbox(stage));
  });
});

import { describeInBrowser, expectAccessibleState, Stage } from '../support.ts';
import { createDogs, states, type View, views } from '../views.ts';

describeInBrowser('Without an accessibility violation in any size of the window, in light and dark', () => {
  const stage = new Stage();

  beforeAll(() => createDogs(stage.client));

  test.each(states)('the console shows the view "%s"', async (name) => {
    const view: View = views[name];
    const page = await (view.isSignedOut ? stage.open() : stage.follow(view.address));
    await view.show(page, stage.client, stage.access);
    await expectAccessibleState(page);
  });
});

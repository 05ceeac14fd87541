import { describeInBrowser, expectAccessibleEverywhere, Stage } from './support.ts';
import { createDogs, showView, type View, views } from './views.ts';

describeInBrowser('The console', () => {
  const stage = new Stage();
  /** The credentials of the sign-in link, with which the page shows the activities of all dogs. */
  let credentials: string;

  beforeAll(async () => {
    await createDogs(stage.client);
    const page = await stage.follow();
    credentials = await page.evaluate('sessionStorage.credentials');
  });

  test.each<[string, View]>(Object.entries(views))(
    'has no accessibility violation in %s',
    async (_, view) => {
      const page = await stage.open('', { bypassCSP: true, reducedMotion: 'reduce' });
      const { client, service } = stage;
      await showView(page, view, { client, service, credentials });
      await expectAccessibleEverywhere(page);
    },
  );
});

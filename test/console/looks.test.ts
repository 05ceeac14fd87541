import { describeInBrowser, expectAccessible, expectNoViolation, Stage } from './support.ts';
import { createDogs, showView, sizes, type View, views } from './views.ts';

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
      for (const viewport of Object.values(sizes)) {
        await page.setViewportSize(viewport);
        await page.emulateMedia({ colorScheme: 'light' });
        await expectAccessible(page, viewport.width);
        await page.emulateMedia({ colorScheme: 'dark' });
        // The other rules do not depend on the color scheme.
        await expectNoViolation(page, ['color-contrast']);
      }
    },
  );
});

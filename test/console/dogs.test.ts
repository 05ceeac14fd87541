import type { Page } from 'playwright-core';
import { mapSettings, settingNames, settingOf } from '../../lambdas/contract/dog-settings.ts';
import { textOf } from '../../web/console/dogs/settings.ts';
import { dogAt } from '../support/client.ts';
import { otherValue } from '../support/setting-values.ts';
import { enterSettings, expectFormShows, submit } from './setting-fields.ts';
import {
  button,
  cardOf,
  describeInBrowser,
  describeInDetail,
  dogLink,
  exchangeOf,
  expectAccessibleState,
  expectFits,
  expectFocus,
  expectInWindow,
  field,
  heading,
  shownIn,
  sizes,
  stage,
  trafficOf,
} from './support.ts';

type Values = Readonly<Record<string, unknown>>;

/** Returns a value for each setting that differs from the dog's value. */
const otherValues = (dog: Values) => mapSettings((name) => otherValue(name, dog[name]));

describeInBrowser('A dog in the console', () => {
  const valuesAt = async (id: string) => ({ ...(await dogAt(stage.client, `/v1/dogs/${id}/`)) }) as Values;

  test('is created with a value for each setting, which the form then shows and replaces, and is deleted', async () => {
    await stage.newDog('sally', {});
    const values = otherValues(await valuesAt('sally'));
    await stage.client.delete('/v1/dogs/sally/');
    const page = await stage.enter();
    await page.getByRole('link', { name: 'New dog' }).click();
    await heading(page, 'New dog').waitFor();
    await field(page, 'ID').fill('sally');
    await enterSettings(page, values);
    await submit(page, 'Create the dog');
    await heading(page, 'sally').waitFor();
    expect(new URL(page.url()).hash).toBe('#dogs/sally');
    const created = exchangeOf(page, 'sally was created');
    await created.locator('summary').first().click();
    expect(await shownIn(created)).toMatch(/PUT\s+\/v1\/dogs\/sally\/\s+201 Created[\s\S]*If-None-Match: \*/);
    expect(await valuesAt('sally')).toMatchObject(values);
    await dogLink(page, 'sally').waitFor();
    const facts = await shownIn(page.locator('.facts'));
    for (const name of settingNames.filter((one) => !('format' in settingOf(one))))
      expect(facts).toContain(textOf(values[name]));

    await button(page, 'Bark').click();
    await page.getByText('The service has accepted the bark.').waitFor();

    await page.getByRole('link', { name: 'Settings' }).click();
    await button(page, 'Replace the settings').waitFor();
    await expectFormShows(page, values);
    const others = otherValues(values);
    await enterSettings(page, others);
    await submit(page, 'Replace the settings');
    await page.getByText('The service replaced the settings.').waitFor();
    const replaced = cardOf(page, 'Settings').locator('.exchange', { hasNotText: 'not sent yet' });
    expect(await shownIn(replaced)).toMatch(/204 No Content[\s\S]*If-Match: "/);
    expect(await valuesAt('sally')).toMatchObject(others);

    await page.getByText('Delete sally', { exact: true }).click();
    await button(page, 'Yes, delete sally').click();
    await exchangeOf(page, 'sally was deleted').getByText('204 No Content').first().waitFor();
    expect((await stage.client.get('/v1/dogs/sally/')).status).toBe(404);
    await dogLink(page, 'sally').waitFor({ state: 'detached' });
  });
});

describeInDetail('A dog in the console', () => {
  test('that already exists is not created, and the form has a link to it, which fits with the longest ID', async () => {
    const id = 'w'.repeat(40);
    await stage.newDog(id, {});
    const page = await stage.enter('#new');
    await field(page, 'ID').fill(id);
    await page.getByRole('button', { name: 'Create the dog' }).click();
    await page.getByText('412 Precondition Failed').first().waitFor();
    await page.getByRole('alert').getByText('This dog already exists.').waitFor();
    await expectAccessibleState(page);
    await page.getByRole('link', { name: 'Open it' }).click();
    await heading(page, id).waitFor();
    await cardOf(page, 'Make it bark').waitFor();
    await expectFits(page);
    const entry = dogLink(page, id);
    expect(await entry.evaluate((link) => link.scrollWidth <= link.clientWidth)).toBe(true);
  });

  test('that is unknown can be created with its ID, unless the ID is invalid', async () => {
    await stage.client.delete('/v1/dogs/nina/');
    const page = await stage.enter('#dogs/%25');
    await heading(page, '%').waitFor();
    await page.locator('main').getByRole('alert').waitFor();
    expect(await page.getByRole('link', { name: 'Create %' }).count()).toBe(0);
    await page.evaluate("location.hash = '#dogs/nina'");
    await page.getByRole('alert').getByText('There is no dog named nina.').waitFor();
    await expectAccessibleState(page);
    await page.getByRole('link', { name: 'Create nina' }).click();
    await heading(page, 'New dog').waitFor();
    expect(await field(page, 'ID').inputValue()).toBe('nina');
  });

  test('in a list of 250 is marked and in view, and is found by a part of its ID', async () => {
    const ids = Array.from({ length: 250 }, (_, i) => `dog-${i + 1}`);
    const settings = { barkEffects: ['record'], barkHandling: 'sync', barkCount: 1 };
    const prepare = async (page: Page) => {
      await page.route(/\/v1\/dogs\/(\?.*)?$/, (route) => {
        const from = Number(new URL(route.request().url()).searchParams.get('from') ?? 0);
        const dogs = ids.slice(from, from + 100).map((id) => ({ id, ...settings }));
        const link = `<${stage.access.base_url}/v1/dogs/?from=${from + 100}>; rel="next"`;
        return route.fulfill({ json: { dogs }, headers: from < 200 ? { Link: link } : {} });
      });
      await page.route('**/v1/dogs/dog-137/', (route) =>
        route.fulfill({ json: { id: 'dog-137', ...settings }, headers: { ETag: '"1"' } }),
      );
    };
    const page = await stage.enter('#dogs/dog-137', { viewport: sizes.medium, prepare });
    const list = page.getByRole('list', { name: 'All dogs' });
    await page.getByText('250 dogs', { exact: true }).waitFor();
    expect(await list.locator('[aria-current=page]').getAttribute('data-dog')).toBe('dog-137');
    const views = page.getByRole('navigation', { name: 'Views' });
    const filter = page.getByRole('searchbox', { name: 'Filter the dogs by ID' });
    const visible = [dogLink(page, 'dog-137'), views, filter];
    await expectInWindow(page, [sizes.medium], visible);
    await filter.fill('DOG-24');
    await page.getByText('11 of 250 dogs').waitFor();
    expect(await list.getByRole('link').first().getAttribute('data-dog')).toBe('dog-24');
    await filter.fill('rex');
    await page.getByText('No dog matches “rex”.').waitFor();
    await page.getByRole('link', { name: 'Open “rex”' }).click();
    await heading(page, 'rex').waitFor();
  });
});

describeInBrowser('The settings of a dog in the console', () => {
  const replace = (page: Page) => button(page, 'Replace the settings').click();
  const email = (page: Page) => field(page, 'Email address');

  test('lose nothing if two clients change different fields, or members that the console does not know', async () => {
    await stage.newDog('rosa', {});
    const page = await stage.enter();
    let dog: object = { ...(await dogAt(stage.client, '/v1/dogs/rosa/')), 'x-breed': 'Terrier' };
    let tag = '"1"';
    await page.route('**/v1/dogs/rosa/', (route) => {
      if (route.request().method() === 'GET') return route.fulfill({ json: dog, headers: { ETag: tag } });
      return route.fulfill({ status: 204 });
    });
    await page.evaluate("location.hash = '#dogs/rosa/settings'");
    await email(page).fill('mine@example.com');
    dog = { ...dog, owner: 'mailto:new@example.com', 'x-breed': 'Poodle' };
    tag = '"2"';
    const sent = page.waitForRequest((one) => one.method() === 'PUT');
    await replace(page);
    expect((await sent).headers()['if-match']).toBe('"2"');
    expect((await sent).postDataJSON()).toEqual({
      email: 'mine@example.com',
      owner: 'mailto:new@example.com',
      barkEffects: expect.any(Array),
      barkHandling: expect.any(String),
      'x-breed': 'Poodle',
    });
  });

  test('show the stored value of a field that two clients change, and send nothing until the user chooses', async () => {
    const page = await stage.enterDog('rita', undefined, '/settings');
    await email(page).fill('mine@example.com');
    await stage.client.put('/v1/dogs/rita/', { email: 'new@example.com', owner: 'mailto:new@example.com' });
    const { sent } = trafficOf(page);
    await replace(page);
    await page.getByText('The stored value is new@example.com.').waitFor();
    expect(await field(page, 'Owner').inputValue()).toBe('mailto:new@example.com');
    expect(await email(page).inputValue()).toBe('mine@example.com');
    await expectAccessibleState(page);
    expect(sent.filter((one) => one.startsWith('PUT'))).toEqual([]);
    await button(page, 'Keep my value').click();
    await expectFocus(page, 'Email address');
    await replace(page);
    await page.getByText('The service replaced the settings.').waitFor();
    const stored = { email: 'mine@example.com', owner: 'mailto:new@example.com' };
    expect(await dogAt(stage.client, '/v1/dogs/rita/')).toMatchObject(stored);

    await email(page).fill('other@example.com');
    await stage.client.put('/v1/dogs/rita/', { email: 'newer@example.com' });
    await button(page, 'Use the stored value').click();
    expect(await email(page).inputValue()).toBe('newer@example.com');
    await expectFocus(page, 'Email address');
  });
});

describeInDetail('The settings of a dog in the console', () => {
  test('can be sent again if the dog changes while the page sends them', async () => {
    const page = await stage.enterDog('rob', undefined, '/settings');
    await page.route('**/v1/dogs/rob/', async (route) => {
      if (route.request().method() === 'PUT') await stage.client.post('/v1/dogs/rob/barks');
      await route.continue();
    });
    await field(page, 'Owner').fill('mailto:jane@example.com');
    await button(page, 'Replace the settings').click();
    await page
      .getByRole('alert')
      .getByText('The dog has just changed. Replace the settings again.')
      .waitFor();
    await page.unroute('**/v1/dogs/rob/');
    await button(page, 'Replace the settings').click();
    await page.getByText('The service replaced the settings.').waitFor();
  });
});

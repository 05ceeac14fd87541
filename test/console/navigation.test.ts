import { once } from 'node:events';
import { createServer, request, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Page } from 'playwright-core';
import { eventually } from '../support/client.ts';
import {
  button,
  cardOf,
  describeInBrowser,
  describeInDetail,
  dogLink,
  exchangeOf,
  expectAccessibleState,
  expectFocus,
  field,
  heading,
  shownIn,
  showsCount,
  signIn,
  stage,
} from './support.ts';

const tryVariant = (page: Page, variant: string) => button(page, `Try variant ${variant}`).click();

describeInBrowser('The console', () => {
  test('has a title for each view, and one heading, which gets the focus, and follows the back button', async () => {
    const page = await stage.enter();
    for (const [address, title, name = title] of [
      ['#activity', 'Activity'],
      ['#requests', 'Requests'],
      ['#tokens', 'Tokens'],
      ['#new', 'New dog'],
      ['#dogs', 'Dogs'],
      ['#elsewhere', 'Unknown view'],
      ['#dogs/count-sync', 'count-sync'],
      ['#dogs/record-sync/schedule', 'record-sync, schedule', 'record-sync'],
      ['#', 'Home', 'Make a dog bark without a verb in the URL'],
    ] as const) {
      await page.evaluate(`location.hash = ${JSON.stringify(address)}`);
      await heading(page, name).waitFor();
      // The page refuses the code that Playwright's waitForFunction evaluates again and again.
      await eventually(async () => expect(await page.title()).toBe(`${title} – Dog service`), {
        interval: 2,
      });
      expect([address, await page.getByRole('heading', { level: 1 }).count()]).toEqual([address, 1]);
      await expectFocus(page, name);
    }
    await page.goBack();
    await heading(page, 'record-sync').waitFor();
    await page.locator('.dog-list [aria-current=page]', { hasText: 'record-sync' }).waitFor();
    await page.locator('.sections [aria-current=page]', { hasText: 'Schedule' }).waitFor();
    await page.goForward();
    await heading(page, 'Make a dog bark without a verb in the URL').waitFor();
  });

  test('has the list of dogs one tap away from a dog on a phone', async () => {
    const page = await stage.enter('#dogs/count-sync', { viewport: { width: 390, height: 844 } });
    await page.getByRole('navigation', { name: 'Views' }).getByRole('link', { name: 'Dogs' }).click();
    const first = page.getByRole('navigation', { name: 'Dogs' }).getByRole('link').first();
    await first.waitFor();
    expect((await first.boundingBox())?.y).toBeLessThan(844);
    await dogLink(page, 'record-sync').click();
    await heading(page, 'record-sync').waitFor();
  });

  test('makes the example dog bark on the home page, and shows the request, whatever the draft has', async () => {
    await stage.client.delete('/v1/dogs/rex/');
    const page = await stage.enter();
    for (const [i, [variant, radio, other, request]] of (
      [
        ['A', /^POST barks/, /^POST bark\b/, /POST\s+\/v1\/dogs\/rex\/barks\s+201 Created/],
        ['A', /^POST barks/, /^POST bark\b/, /POST\s+\/v1\/dogs\/rex\/barks\s+201 Created/],
        ['B', /^PATCH the dog/, /^POST bark-schedule/, /PATCH\s+\/v1\/dogs\/rex\/\s+205 Reset Content/],
        ['C', /^POST bark-schedule/, /^PATCH the dog/, /bark-schedule\s+205 Reset Content/],
      ] as const
    ).entries()) {
      await tryVariant(page, variant);
      await heading(page, 'rex').waitFor();
      await page.locator('.exchange', { hasText: request }).waitFor();
      await showsCount(page, i + 1);
      expect([variant, await page.getByText('rex was created').count()]).toEqual([variant, i === 0 ? 1 : 0]);
      expect([variant, await page.getByRole('radio', { name: radio }).isChecked()]).toEqual([variant, true]);
      await page.getByRole('radio', { name: other }).check();
      await page.getByRole('link', { name: 'Home', exact: true }).click();
    }
  });
});

describeInDetail('The console', () => {
  test('works below a stage in the path, as on API Gateway', async () => {
    const otherPaths: string[] = [];
    const proxy = stageProxy('/prod', stage.access.base_url, otherPaths);
    await once(proxy.listen(0, '127.0.0.1'), 'listening');
    const url = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}/prod`;
    const linksOf = (page: Page) =>
      Promise.all(
        ['Dog service, home', 'Console', 'Docs'].map((name) =>
          page.getByRole('banner').getByRole('link', { name }).getAttribute('href'),
        ),
      );
    const page = await stage.open(`${url}?x=`);
    expect(await linksOf(page)).toEqual([`${url}/`, `${url}/`, `${url}/docs`]);
    await signIn(page, stage.access);
    const comparison = page.getByRole('link', { name: 'Compare the variants' });
    expect(await comparison.getAttribute('href')).toBe(`${url}/docs#variants`);

    await page.getByRole('link', { name: 'count-sync' }).click();
    await button(page, 'Bark').click();
    const exchange = exchangeOf(page, 'Make it bark');
    await exchange.getByText('Response to the GET /v1/dogs/count-sync/ that followed').waitFor();
    expect(await shownIn(exchange)).toContain('POST /prod/v1/dogs/count-sync/barks');
    await exchange.getByText('curl', { exact: true }).first().click();
    await exchange.getByText(`${url}/v1/dogs/count-sync/barks`).waitFor();
    await page.getByRole('banner').getByRole('link', { name: 'Docs' }).click();
    await page.waitForURL(`${url}/docs`);
    expect(await linksOf(page)).toEqual([`${url}/`, `${url}/`, `${url}/docs`]);
    await page.getByRole('banner').getByRole('link', { name: 'Console' }).click();
    await button(page, 'Sign out').waitFor();
    expect(page.url()).toBe(`${url}/`);
    expect(otherPaths).toEqual([]);
    proxy.close();
    proxy.closeAllConnections();
  });

  test('shows that the service does not respond, and reads the dogs when the service has started', async () => {
    await stage.newDog('newcomer');
    let state: 'away' | 'back' | 'starting' = 'away';
    const page = await stage.open('#dogs/count-sync');
    await page.route('**/v1/**', (route) => {
      if (state === 'away') return route.abort('connectionrefused');
      return state === 'back' ? route.continue() : route.fulfill({ status: 503 });
    });
    await field(page, 'User name').fill('dog-lover');
    await field(page, 'Password').fill('woof');
    await page.keyboard.press('Enter');
    await page.getByRole('alert').getByText('The service does not respond.').waitFor();
    state = 'back';
    await signIn(page, stage.access);
    const card = cardOf(page, 'Make it bark');
    await field(page, 'Message').fill('Still here');
    state = 'away';
    await button(page, 'Bark').click();
    const banner = page.locator('.banner[role=alert]');
    await banner.getByText('The service does not respond.').waitFor();
    await card.getByRole('alert').getByText('The service does not respond.').waitFor();
    await exchangeOf(page, 'Make it bark').locator('.badge', { hasText: 'no response' }).waitFor();
    await expectAccessibleState(page);

    await stage.client.delete('/v1/dogs/newcomer/');
    state = 'starting';
    await page.waitForResponse((response) => response.status() === 503);
    expect(await banner.isVisible()).toBe(true);
    state = 'back';
    await banner.waitFor({ state: 'hidden' });
    await dogLink(page, 'newcomer').waitFor({ state: 'detached' });
    expect(await field(page, 'Message').inputValue()).toBe('Still here');
    await button(page, 'Bark').click();
    await card.getByRole('status').getByText('The dog barked.').waitFor();
  });
});

describeInDetail('The home page of the console', () => {
  test('shows beside the design that the example dog could not be created', async () => {
    const page = await stage.enter();
    const json = { detail: 'You must not create dogs.' };
    await page.route('**/v1/dogs/rex/', (route) => route.fulfill({ status: 403, json }));
    await tryVariant(page, 'B');
    const design = page.getByRole('region', { name: 'Variant B' });
    await design.getByRole('alert').getByText(json.detail).waitFor();
  });

  test('does not open the dog if the user opens another view meanwhile', async () => {
    const page = await stage.enter();
    const opened = Promise.withResolvers<void>();
    await page.route('**/v1/dogs/rex/', async (route) => {
      await opened.promise;
      await route.continue();
    });
    await tryVariant(page, 'B');
    await page.getByRole('link', { name: 'Tokens' }).click();
    await heading(page, 'Tokens').waitFor();
    const response = page.waitForResponse('**/v1/dogs/rex/');
    opened.resolve();
    await (await response).finished();
    expect(new URL(page.url()).hash).toBe('#tokens');
    await heading(page, 'Tokens').waitFor();
  });
});

/** Returns a proxy that adds a stage to the paths and to the URLs in responses, as API Gateway does. */
function stageProxy(prefix: string, service: string, otherPaths: string[]): Server {
  return createServer((incoming, outgoing) => {
    const { url = '', method, headers } = incoming;
    if (!new RegExp(`^${prefix}(/|\\?|$)`).test(url)) otherPaths.push(url);
    const own = `http://${headers.host}${prefix}`;
    const forwarded = request(
      service + (url.slice(prefix.length) || '/'),
      { method, headers: { ...headers, host: new URL(service).host, 'accept-encoding': 'identity' } },
      async (response) => {
        const chunks: Buffer[] = [];
        for await (const chunk of response) chunks.push(chunk);
        const { 'content-length': _, ...fields } = response.headers;
        if (fields.location) fields.location = fields.location.replace(service, own);
        outgoing.writeHead(response.statusCode ?? 502, fields);
        outgoing.end(Buffer.concat(chunks).toString().replaceAll(`${service}/`, `${own}/`));
      },
    );
    incoming.pipe(forwarded);
  });
}

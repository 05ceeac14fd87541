import { once } from 'node:events';
import { createServer, request, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { eventually } from '@rest-actions/local-cloud/testing';
import type { Page } from 'playwright-core';
import {
  button,
  cardOf,
  describeInBrowser,
  describeInDetail,
  dogLink,
  entry,
  exchangeOf,
  expectAccessibleState,
  expectFocus,
  expectInWindow,
  field,
  heading,
  shownIn,
  signIn,
  sizes,
  stage,
} from './support.ts';

const tryVariant = (page: Page, variant: string) => button(page, `Try variant ${variant}`).click();

describeInBrowser('The console', () => {
  test('has a title for each view, and one heading, which gets the focus, and follows the back button', async () => {
    const page = await stage.enter();
    for (const [address, title, name = title] of [
      ['#activity', 'Activity'],
      ['#new', 'New dog'],
      ['#dogs', 'Dogs'],
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

  test('keeps what the user has entered while another section of the dog is open', async () => {
    const page = await stage.enter('#dogs/count-sync');
    const sections = page.getByRole('navigation', { name: 'Sections of count-sync' });
    await field(page, 'Message').fill('The postman is here');
    await sections.getByRole('link', { name: 'Settings' }).click();
    await field(page, 'Owner').fill('mailto:jane@example.com');
    await sections.getByRole('link', { name: 'Bark' }).click();
    expect(await field(page, 'Message').inputValue()).toBe('The postman is here');
    await sections.getByRole('link', { name: 'Settings' }).click();
    expect(await field(page, 'Owner').inputValue()).toBe('mailto:jane@example.com');
  });

  test('has the list of dogs one tap away from a dog on a phone', async () => {
    const page = await stage.enter('#dogs/count-sync', { viewport: { width: 390, height: 844 } });
    const dogs = page.getByRole('navigation', { name: 'Views' }).getByRole('link', { name: 'Dogs' });
    expect(await dogs.getAttribute('aria-current')).toBe('true');
    await dogs.click();
    const first = page.getByRole('navigation', { name: 'Dogs' }).getByRole('link').first();
    await first.waitFor();
    expect((await first.boundingBox())?.y).toBeLessThan(844);
    await dogLink(page, 'record-sync').click();
    await heading(page, 'record-sync').waitFor();
  });

  test('makes the example dog bark on the home page, and shows the response without scrolling or a failed request', async () => {
    await stage.client.delete('/v1/dogs/rex/');
    const page = await stage.follow('', { viewport: sizes.wide });
    await page.getByText(/^\d+ dogs$/).waitFor();
    const failures: string[] = [];
    page.on('response', (response) => response.status() >= 400 && failures.push(response.url()));
    for (const [i, [variant, request, response]] of (
      [
        ['A', /POST\s+\/v1\/dogs\/rex\/barks\s+201 Created/, /^201 Created$/],
        ['A', /POST\s+\/v1\/dogs\/rex\/barks\s+201 Created/, /^201 Created$/],
        ['B', /PATCH\s+\/v1\/dogs\/rex\/\s+205 Reset Content/, /^205 Reset Content$/],
        ['C', /bark-schedule\s+205 Reset Content/, /^205 Reset Content$/],
      ] as const
    ).entries()) {
      await tryVariant(page, variant);
      const trial = page.getByRole('region', { name: `Result of variant ${variant}` });
      const exchange = trial.locator('.exchange', { hasText: request });
      await dogLink(page, 'rex')
        .getByText(`${i + 1} counted`, { exact: true })
        .waitFor();
      await expectInWindow(
        page,
        [sizes.wide],
        [
          trial.getByRole('status').getByText('The dog barked.'),
          exchange.locator('.part.good strong').getByText(response),
        ],
      );
      await entry(page, `Variant ${variant} · `).filter({ hasText: 'Barked' }).first().waitFor();
    }
    expect(failures).toEqual([]);
    expect(await page.locator('.bad, .failed').count()).toBe(0);
    await page.getByRole('link', { name: 'Open rex' }).click();
    await page.locator('.sections [aria-current=page]', { hasText: 'Schedule' }).waitFor();
  });
});

describeInDetail('The console', () => {
  test('works below a stage in the path, as on API Gateway', async () => {
    const otherPaths: string[] = [];
    const proxy = stageProxy('/prod', stage.access.base_url, otherPaths);
    await once(proxy.listen(0, '127.0.0.1'), 'listening');
    const url = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}/prod`;
    const links = {
      'Dog service, home': `${url}/`,
      Console: `${url}/`,
      Docs: `${url}/docs`, // @extension docs
    };
    const linksOf = (page: Page) =>
      Promise.all(
        Object.keys(links).map((name) =>
          page.getByRole('banner').getByRole('link', { name }).getAttribute('href'),
        ),
      );
    const page = await stage.open(`${url}?x=`);
    expect(await linksOf(page)).toEqual(Object.values(links));
    await signIn(page, stage.access);
    // @extension docs {
    const comparison = page.getByRole('link', { name: 'Compare the variants' });
    expect(await comparison.getAttribute('href')).toBe(`${url}/docs#variants`);
    // @extension docs }

    await page.getByRole('link', { name: 'count-sync' }).click();
    await button(page, 'Bark').click();
    const exchange = exchangeOf(page, 'Make it bark');
    await exchange.getByText('Response to the GET /v1/dogs/count-sync/ that followed').waitFor();
    expect(await shownIn(exchange)).toContain('POST /prod/v1/dogs/count-sync/barks');
    await exchange.getByLabel('Show the request as').selectOption('curl');
    await exchange.getByText(`${url}/v1/dogs/count-sync/barks`).waitFor();
    // @extension docs {
    await page.getByRole('banner').getByRole('link', { name: 'Docs' }).click();
    await page.waitForURL(`${url}/docs`);
    expect(await linksOf(page)).toEqual(Object.values(links));
    // @extension docs }
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
  test('shows below the design why the dog could not bark', async () => {
    const page = await stage.enter();
    const json = { detail: 'You must not read dogs.' };
    await page.route('**/v1/dogs/rex/', (route) => route.fulfill({ status: 403, json }));
    await tryVariant(page, 'B');
    const trial = page.getByRole('region', { name: 'Result of variant B' });
    await trial.getByRole('alert').getByText(json.detail).waitFor();
  });

  test('creates the example dog again if another client has deleted it', async () => {
    await stage.newDog('rex');
    const page = await stage.enter();
    await dogLink(page, 'rex').waitFor();
    await stage.client.delete('/v1/dogs/rex/');
    await tryVariant(page, 'B');
    await page.getByRole('status').getByText('The dog barked.').waitFor();
    await page.getByText('The page sent these requests first:').waitFor();
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

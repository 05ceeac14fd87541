import { once } from 'node:events';
import { createServer, request, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Page } from 'playwright-core';
import {
  button,
  cardOf,
  describeInBrowser,
  exchangeOf,
  expectAccessibleState,
  field,
  heading,
  Stage,
  shownIn,
  signIn,
  trafficOf,
} from '../support.ts';

describeInBrowser('The console', () => {
  const stage = new Stage();

  describe('with a stage in the path, as on API Gateway', () => {
    let proxy: Server;
    let url: string;
    const otherPaths: string[] = [];

    beforeAll(async () => {
      proxy = await listen(stageProxy('/prod', stage.access.base_url, otherPaths));
      url = `${urlOf(proxy)}/prod`;
    });
    afterAll(() => {
      proxy.close();
      proxy.closeAllConnections();
    });

    const linksOf = (page: Page) =>
      Promise.all(
        ['Dog service, home', 'Console', 'Docs'].map((name) =>
          page.getByRole('banner').getByRole('link', { name }).getAttribute('href'),
        ),
      );

    test.each(['?x=', '/'])(
      'has links below the stage if the URL of the console ends in "/prod%s"',
      async (end) => {
        const page = await stage.open(`${url}${end}`);
        expect(await linksOf(page)).toEqual([`${url}/`, `${url}/`, `${url}/docs`]);
        await signIn(page, stage.access);
        const comparison = page.getByRole('link', { name: 'Compare the variants' });
        expect(await comparison.getAttribute('href')).toBe(`${url}/docs#variants`);
        expect(otherPaths).toEqual([]);
      },
    );

    test('calls the service below the stage', async () => {
      const page = await stage.enter(`${url}#dogs/count-sync`);
      await button(page, 'Bark').click();
      await cardOf(page, 'Make it bark').getByText('The dog barked.').waitFor();
      const exchange = exchangeOf(page, 'Make it bark');
      await exchange.getByText('Response to the GET /v1/dogs/count-sync/ that followed').waitFor();
      expect(await shownIn(exchange)).toContain('POST /prod/v1/dogs/count-sync/barks');
      await exchange.getByText('curl', { exact: true }).first().click();
      await exchange.getByText(`${url}/v1/dogs/count-sync/barks`).waitFor();
      await page.getByRole('link', { name: 'record-async' }).click();
      await heading(page, 'record-async').waitFor();
      await stage.barkAndHold(page);
      const watched = page.getByRole('list', { name: 'Asynchronous barks' });
      await watched.getByText('pending', { exact: true }).waitFor();
      await stage.performBark();
      await watched.getByText('The dog barked.').waitFor();
      await page.getByRole('banner').getByRole('link', { name: 'Docs' }).click();
      await page.waitForURL(`${url}/docs`);
      expect(await linksOf(page)).toEqual([`${url}/`, `${url}/`, `${url}/docs`]);
      await page.getByRole('banner').getByRole('link', { name: 'Console' }).click();
      await button(page, 'Sign out').waitFor();
      expect(page.url()).toBe(`${url}/`);
      expect(otherPaths).toEqual([]);
    });
  });

  test('shows that the service does not respond, and continues when the service responds again', async () => {
    const forward = (port = 0) => listen(stageProxy('', stage.access.base_url, []), port);
    let proxy = await forward();
    const page = await stage.enter(`${urlOf(proxy)}/#dogs/count-sync`);
    const card = cardOf(page, 'Make it bark');
    await field(page, 'Message').fill('Still here');
    const { port } = new URL(urlOf(proxy));
    proxy.close();
    proxy.closeAllConnections();
    await button(page, 'Bark').click();
    const banner = page.locator('.banner[role=alert]');
    await banner.getByText('The service does not respond.').waitFor();
    await card.getByRole('alert').getByText('The service does not respond.').waitFor();
    await exchangeOf(page, 'Make it bark').locator('.badge', { hasText: 'no response' }).waitFor();
    await expectAccessibleState(page);

    proxy = await forward(Number(port));
    await banner.waitFor({ state: 'hidden' });
    expect(await field(page, 'Message').inputValue()).toBe('Still here');
    await button(page, 'Bark').click();
    await card.getByRole('status').getByText('The dog barked.').waitFor();
    proxy.close();
    proxy.closeAllConnections();
  });

  test('reads the dog and the list once the service has started completely', async () => {
    await stage.client.delete('/v1/dogs/newcomer/');
    const page = await stage.enter();
    let state: 'away' | 'back' | 'starting' = 'away';
    await page.route('**/v1/**', (route) => {
      if (state === 'away') return route.abort('connectionrefused');
      return state === 'back' ? route.continue() : route.fulfill({ status: 503 });
    });
    await page.getByRole('link', { name: 'count-sync' }).click();
    const banner = page.locator('.banner[role=alert]');
    await banner.waitFor();
    state = 'starting';
    for (let responses = 0; responses < 2; responses++)
      await page.waitForResponse((response) => response.status() === 503);
    expect(await banner.isVisible()).toBe(true);
    await stage.client.put('/v1/dogs/newcomer/', {});
    state = 'back';
    await cardOf(page, 'Make it bark').waitFor();
    await banner.waitFor({ state: 'hidden' });
    await page.getByRole('navigation', { name: 'Dogs' }).getByRole('link', { name: 'newcomer' }).waitFor();
  });

  test('sends few requests while the service does not respond, and none while the page is hidden', async () => {
    const page = await stage.enter('#dogs/count-sync', {
      clock: Date.now(),
    });
    await cardOf(page, 'Make it bark').waitFor();
    const { sent, settle } = trafficOf(page);
    await page.route('**/v1/**', (route) => route.abort('connectionrefused'));
    /** Returns the number of requests that the page sends while its clock runs for some seconds. */
    const pass = async (seconds: number): Promise<number> => {
      const before = sent.length;
      for (let passed = 0; passed < seconds; passed++) {
        await page.clock.runFor(1_000);
        await settle();
      }
      return sent.length - before;
    };
    await pass(3);
    await page.locator('.banner[role=alert]').waitFor();
    const requests = await pass(30);
    expect(requests).toBeGreaterThan(10);
    expect(requests).toBeLessThan(20);
    await page.evaluate("Object.defineProperty(document, 'hidden', { get: () => true })");
    await pass(5);
    expect(await pass(30)).toBe(0);
  });

  test('shows during the sign-in that the service does not respond', async () => {
    const page = await stage.open();
    await page.route('**/v1/**', (route) => route.abort('connectionrefused'));
    await field(page, 'User name').fill('dog-lover');
    await field(page, 'Password').fill('woof');
    await page.keyboard.press('Enter');
    await page.getByRole('alert').getByText('The service does not respond.').waitFor();
    await page.unroute('**/v1/**');
    await signIn(page, stage.access);
  });
});

/** Waits until a server listens on a port, or on a free one. */
async function listen(server: Server, port = 0): Promise<Server> {
  await once(server.listen(port, '127.0.0.1'), 'listening');
  return server;
}

function urlOf(server: Server): string {
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

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

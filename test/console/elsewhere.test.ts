import { createServer, request, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { start } from '../start/support.ts';
import {
  cardOf,
  describeInBrowser,
  exchangeOf,
  Stage,
  settings,
  shownIn,
  signIn,
  trafficOf,
} from './support.ts';

describeInBrowser('The console', () => {
  const stage = new Stage();

  describe('with a stage in the path, as on API Gateway', () => {
    let proxy: Server;
    let url: string;
    const otherPaths: string[] = [];

    beforeAll(async () => {
      proxy = stageProxy('/prod', stage.service.access.base_url, otherPaths);
      await new Promise<void>((listening) => proxy.listen(0, '127.0.0.1', listening));
      url = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}/prod`;
    });
    afterAll(() => proxy?.close());

    test.each(['', '/'])('calls the service below the stage if its URL ends in "/prod%s"', async (end) => {
      const page = await stage.open('', {}, end === '' ? `${url}?x=` : url);
      const header = page.getByRole('banner');
      const linksOf = (names: readonly string[]) =>
        Promise.all(names.map((name) => header.getByRole('link', { name }).getAttribute('href')));
      expect(await linksOf(['Dog service, home', 'Console', 'Docs'])).toEqual([
        `${url}/`,
        `${url}/`,
        `${url}/docs`,
      ]);
      await signIn(page, stage.service.access);
      const comparison = page.getByRole('link', { name: 'Compare the variants' });
      expect(await comparison.getAttribute('href')).toBe(`${url}/docs#variants`);
      await page.getByRole('link', { name: 'count-sync' }).click();
      await page.getByRole('button', { name: 'Bark', exact: true }).click();
      await cardOf(page, 'Make it bark').getByText('The dog barked.').waitFor();
      const exchange = exchangeOf(page, 'Make it bark');
      await exchange.getByText('Response to the GET /v1/dogs/count-sync/ that followed').waitFor();
      expect(await shownIn(exchange)).toContain('POST /prod/v1/dogs/count-sync/barks');
      await exchange.getByText('curl', { exact: true }).first().click();
      await exchange.getByText(`${url}/v1/dogs/count-sync/barks`).waitFor();
      await page.getByRole('link', { name: 'record-async' }).click();
      await page.getByRole('button', { name: 'Bark', exact: true }).click();
      await page.getByRole('list', { name: 'Asynchronous barks' }).getByText('The dog barked.').waitFor();
      await header.getByRole('link', { name: 'Docs' }).click();
      await page.getByRole('heading', { level: 1 }).waitFor();
      expect(page.url()).toBe(`${url}/docs`);
      expect(await linksOf(['Dog service, home', 'Console', 'Docs'])).toEqual([
        `${url}/`,
        `${url}/`,
        `${url}/docs`,
      ]);
      await header.getByRole('link', { name: 'Console' }).click();
      await page.getByRole('button', { name: 'Sign out' }).waitFor();
      expect(page.url()).toBe(`${url}/`);
      expect(otherPaths).toEqual([]);
    });
  });

  test('shows that the service does not respond, and continues when the service responds again', async () => {
    const { directory, access } = stage.service;
    const page = await stage.enter('#dogs/count-sync');
    const card = cardOf(page, 'Make it bark');
    await page.getByLabel('Message', { exact: true }).fill('Still here');
    await stage.service.stop();
    await page.getByRole('button', { name: 'Bark', exact: true }).click();
    const banner = page.locator('.banner[role=alert]');
    await banner.getByText('The service does not respond.').waitFor();
    await card.getByRole('alert').getByText('The service does not respond.').waitFor();
    await exchangeOf(page, 'Make it bark').locator('.badge', { hasText: 'no response' }).waitFor();

    await start(directory, { settings, environment: { PORT: new URL(access.base_url).port } });
    await banner.waitFor({ state: 'hidden' });
    expect(await page.getByLabel('Message', { exact: true }).inputValue()).toBe('Still here');
    await page.getByRole('button', { name: 'Bark', exact: true }).click();
    await card.getByRole('status').getByText('The dog barked.').waitFor();
  });

  test('reads the dog and the list once the service has started completely', async () => {
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
    const page = await stage.open();
    await page.clock.install();
    await signIn(page, stage.service.access);
    await page.getByRole('link', { name: 'count-sync' }).click();
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
    await page.getByLabel('User name', { exact: true }).fill('dog-lover');
    await page.getByLabel('Password', { exact: true }).fill('woof');
    await page.keyboard.press('Enter');
    await page.getByRole('alert').getByText('The service does not respond.').waitFor();
    await page.unroute('**/v1/**');
    await signIn(page, stage.service.access);
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

import { once } from 'node:events';
import { createServer, request, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Page } from 'playwright-core';
import {
  button,
  cardOf,
  describeInDetail,
  dogLink,
  exchangeOf,
  expectAccessibleState,
  field,
  shownIn,
  signIn,
  stage,
} from './support.ts';

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

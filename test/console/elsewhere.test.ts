import { createServer, request, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { start } from '../start/support.ts';
import { cardOf, describeInBrowser, exchangeOf, Stage, settings, shownIn, signIn } from './support.ts';

describeInBrowser('the page', () => {
  const stage = new Stage();

  describe('with a stage in the path, as API Gateway has it', () => {
    let proxy: Server;
    let url: string;
    const outside: string[] = [];

    beforeAll(async () => {
      proxy = stageProxy('/prod', stage.service.access.base_url, outside);
      await new Promise<void>((listening) => proxy.listen(0, '127.0.0.1', listening));
      url = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}/prod`;
    });
    afterAll(() => proxy?.close());

    test.each(['', '/'])('calls the service below it, whether its own address ends in "%s"', async (end) => {
      const page = await stage.enter('', {}, end === '' ? url.replace(/\/prod$/, '/prod?x=') : url);
      await page.getByRole('link', { name: 'count-sync' }).click();
      await page.getByRole('button', { name: 'Bark', exact: true }).click();
      await cardOf(page, 'Make it bark').getByText('a redirect led to it').waitFor();
      const exchange = await shownIn(exchangeOf(page, 'Make it bark'));
      expect(exchange).toContain(`${url}/v1/dogs/count-sync/barks`);
      expect(exchange).toContain('POST /prod/v1/dogs/count-sync/barks');
      await exchangeOf(page, 'Make it bark')
        .getByText('Answer to the GET /v1/dogs/count-sync/ that followed')
        .waitFor();
      await page.getByRole('link', { name: 'record-async' }).click();
      await page.getByRole('button', { name: 'Bark', exact: true }).click();
      await cardOf(page, 'A bark on its way').getByText('It barked.').waitFor();
      expect(await page.getByRole('link', { name: 'Interface' }).getAttribute('href')).toBe(`${url}/docs`);
      expect(outside).toEqual([]);
    });
  });

  test('tells that the service does not answer, and goes on when it is back', async () => {
    const { directory, access } = stage.service;
    const page = await stage.enter('#dogs/count-sync');
    await cardOf(page, 'Make it bark').getByLabel('message').fill('Still here');
    await stage.service.stop();
    await page.getByRole('button', { name: 'Bark', exact: true }).click();
    await page.getByRole('alert').getByText('The service does not answer.').waitFor();
    await cardOf(page, 'Make it bark').locator('.problem', { hasText: 'does not answer' }).waitFor();
    await exchangeOf(page, 'Make it bark').locator('.badge', { hasText: 'no answer' }).waitFor();

    await start(directory, { settings, environment: { PORT: new URL(access.base_url).port } });
    await page.getByRole('alert').waitFor({ state: 'hidden' });
    expect(await page.getByLabel('message').inputValue()).toBe('Still here');
    await page.getByRole('button', { name: 'Bark', exact: true }).click();
    await cardOf(page, 'Make it bark').getByText('a redirect led to it').waitFor();
  });

  test('reads what it could not, when the service has come back as a whole', async () => {
    const page = await stage.enter();
    let state: 'away' | 'back' | 'starting' = 'away';
    await page.route('**/v1/**', (route) => {
      if (state === 'away') return route.abort('connectionrefused');
      return state === 'back' ? route.continue() : route.fulfill({ status: 503 });
    });
    await page.getByRole('link', { name: 'count-sync' }).click();
    await page.getByRole('alert').waitFor();
    state = 'starting';
    for (let answers = 0; answers < 2; answers++)
      await page.waitForResponse((response) => response.status() === 503);
    expect(await page.getByRole('alert').isVisible()).toBe(true);
    state = 'back';
    await cardOf(page, 'Make it bark').waitFor();
    await page.getByRole('alert').waitFor({ state: 'hidden' });
  });

  test('says to who signs in meanwhile that the service does not answer', async () => {
    const page = await stage.open();
    await page.route('**/v1/**', (route) => route.abort('connectionrefused'));
    await page.getByLabel('User', { exact: true }).fill('dog-lover');
    await page.keyboard.press('Enter');
    await page.getByText('The service does not answer.').waitFor();
    await page.unroute('**/v1/**');
    await signIn(page, stage.service.access);
  });
});

/** Puts a stage before the path, and into the URLs that the service makes, as API Gateway does both. */
function stageProxy(prefix: string, service: string, outside: string[]): Server {
  return createServer((incoming, outgoing) => {
    const { url = '', method, headers } = incoming;
    if (!new RegExp(`^${prefix}(/|\\?|$)`).test(url)) outside.push(url);
    const own = `http://${headers.host}${prefix}`;
    const forwarded = request(
      service + (url.slice(prefix.length) || '/'),
      { method, headers: { ...headers, host: new URL(service).host, 'accept-encoding': 'identity' } },
      async (answer) => {
        const chunks: Buffer[] = [];
        for await (const chunk of answer) chunks.push(chunk);
        const { 'content-length': _, ...fields } = answer.headers;
        if (fields.location) fields.location = fields.location.replace(service, own);
        outgoing.writeHead(answer.statusCode ?? 502, fields);
        outgoing.end(Buffer.concat(chunks).toString().replaceAll(`${service}/`, `${own}/`));
      },
    );
    incoming.pipe(forwarded);
  });
}

import type { Page, PageContent, Redirect } from '@rest-actions/local-cloud/parts';
import type { Access } from '../../../bin/start/access.ts';
import { addSignInPage } from '../../../bin/start/sign-in-link.ts';

const access: Access = {
  base_url: 'http://127.0.0.1:3000',
  username: 'dog-lover',
  password: 'secret',
  auth_url: 'http://127.0.0.1:3000',
  client_id: 'dog-lover',
  client_secret: 'client secret',
  refresh_token: 'refresh token',
};

const tokenResponse = () => Response.json({ access_token: 'a.b.c' });
const fetchToken = jest.spyOn(globalThis, 'fetch');
let page: Page;
let now: number;

beforeEach(() => {
  now = 0;
  fetchToken.mockReset().mockImplementation(async () => tokenResponse());
});

/** Adds the page. Returns the function that creates links. */
function add(content: Access = access): (() => string) | undefined {
  const addPage = (path: string, added: Page) => {
    page = added;
    return `http://127.0.0.1:3001${path}`;
  };
  return addSignInPage(
    { addPage, inboxUrl: 'http://127.0.0.1:3001/secret/' },
    content,
    '/secret/activities',
    () => now,
  );
}

const link = () => add()?.() ?? '';

async function load(url: string, method: 'GET' | 'HEAD' = 'GET', isPrefetch = false) {
  const name = url.split('/').at(-1) ?? '';
  const request = { method, name, query: new URLSearchParams(), accept: undefined, isPrefetch };
  return (await page(request)) as PageContent | Redirect;
}

async function statusOf(
  url: string,
  method?: 'GET' | 'HEAD',
  isPrefetch?: boolean,
): Promise<number | undefined> {
  const response = await load(url, method, isPrefetch);
  return 'location' in response ? 303 : response.status;
}

describe('A sign-in link', () => {
  test('has 128 random bits in its path', () => {
    const newLink = add();
    expect(newLink?.()).toMatch(/^http:\/\/127\.0\.0\.1:3001\/sign-in\/[\w-]{22}$/);
    expect(newLink?.()).not.toBe(newLink?.());
  });

  test('redirects to the console with an access token that the refresh token was exchanged for', async () => {
    const { location } = (await load(link())) as Redirect;
    expect(location).toBe(
      'http://127.0.0.1:3000/#access_token=a.b.c&user=dog-lover&feed=%2Fsecret%2Factivities&inbox=%2Fsecret%2F',
    );
    const [url, { body } = {}] = fetchToken.mock.calls[0] ?? [];
    expect([url, String(body)]).toEqual([
      'http://127.0.0.1:3000/oauth2/v4/token',
      'grant_type=refresh_token&client_id=dog-lover&client_secret=client+secret&refresh_token=refresh+token',
    ]);
  });

  test('works once even if two browsers load it at the same time', async () => {
    const url = link();
    expect(await Promise.all([statusOf(url), statusOf(url)])).toEqual([303, 410]);
    expect(await statusOf(url)).toBe(410);
    expect(fetchToken).toHaveBeenCalledTimes(1);
  });

  test('works only until the next link is created', async () => {
    const newLink = add();
    const [first = '', second = ''] = [newLink?.(), newLink?.()];
    expect([await statusOf(first), await statusOf(second)]).toEqual([410, 303]);
    expect(await statusOf(newLink?.() ?? '')).toBe(303);
  });

  test('has a name that cannot be omitted', async () => {
    add();
    expect(await statusOf('/sign-in/')).toBe(410);
    link();
    expect(await statusOf('/sign-in/')).toBe(410);
  });

  test('is not used up by a preview with HEAD', async () => {
    const url = link();
    expect([await statusOf(url, 'HEAD'), await statusOf(url)]).toEqual([200, 303]);
  });

  test('is not used up by a browser that loads it before the user opens it', async () => {
    const url = link();
    expect([await statusOf(url, 'GET', true), await statusOf(url)]).toEqual([503, 303]);
    expect(fetchToken).toHaveBeenCalledTimes(1);
  });

  test('expires 15 minutes after it was created', async () => {
    const newLink = add();
    now = 1_000;
    const url = newLink?.() ?? '';
    now += 15 * 60_000;
    expect(await statusOf(url)).toBe(410);
    now -= 1;
    expect(await statusOf(url)).toBe(303);
  });

  test('works again after the service has not issued a token', async () => {
    const url = link();
    fetchToken.mockImplementationOnce(async () => new Response('', { status: 503 }));
    fetchToken.mockImplementationOnce(async () => {
      throw new TypeError('fetch failed');
    });
    expect([await statusOf(url), await statusOf(url), await statusOf(url)]).toEqual([503, 503, 303]);
  });

  test('does not replace a newer one if the service has not issued a token', async () => {
    const newLink = add();
    const older = newLink?.() ?? '';
    let newer = '';
    fetchToken.mockImplementationOnce(async () => {
      newer = newLink?.() ?? '';
      return new Response('', { status: 503 });
    });
    expect([await statusOf(older), await statusOf(older), await statusOf(newer)]).toEqual([503, 410, 303]);
  });

  test.each(['client_id', 'client_secret', 'refresh_token'])('does not exist without a %s', (name) => {
    expect(add({ ...access, [name]: undefined })).toBeUndefined();
  });
});

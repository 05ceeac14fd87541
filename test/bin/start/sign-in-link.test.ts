import type { Access } from '../../../bin/start/access.ts';
import { addSignInLink } from '../../../bin/start/sign-in-link.ts';
import type { Page, PageContent, Redirect } from '../../../local/endpoint/endpoint.ts';

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

function add(content: Access = access, inboxUrl?: string): string | undefined {
  const addPage = (path: string, added: Page) => {
    page = added;
    return `http://127.0.0.1:3001${path}`;
  };
  return addSignInLink({ addPage, inboxUrl }, content, '/secret/activities', () => now);
}

/** Sends a request for the page. */
async function load(method: 'GET' | 'HEAD' = 'GET') {
  const request = { method, name: '', query: new URLSearchParams(), accept: undefined };
  return (await page(request)) as PageContent | Redirect;
}

async function statusOf(method?: 'GET' | 'HEAD'): Promise<number | undefined> {
  const response = await load(method);
  return 'location' in response ? 303 : response.status;
}

describe('The sign-in link of npm start', () => {
  test('has 128 random bits in its path', () => {
    expect(add()).toMatch(/^http:\/\/127\.0\.0\.1:3001\/sign-in\/[\w-]{22}$/);
    expect(add()).not.toBe(add());
  });

  test('redirects to the console with an access token that the refresh token was exchanged for', async () => {
    add(access, 'http://127.0.0.1:3001/secret/');
    const { location } = (await load()) as Redirect;
    expect(location).toBe(
      'http://127.0.0.1:3000/#access_token=a.b.c&user=dog-lover&feed=%2Fsecret%2Factivities&inbox=%2Fsecret%2F',
    );
    const [url, { body } = {}] = fetchToken.mock.calls[0] ?? [];
    expect([url, String(body)]).toEqual([
      'http://127.0.0.1:3000/oauth2/v4/token',
      'grant_type=refresh_token&client_id=dog-lover&client_secret=client+secret&refresh_token=refresh+token',
    ]);
  });

  test('works once', async () => {
    add();
    expect([await statusOf(), await statusOf()]).toEqual([303, 410]);
    expect(fetchToken).toHaveBeenCalledTimes(1);
  });

  test('works once even if two browsers load it at the same time', async () => {
    add();
    expect(await Promise.all([statusOf(), statusOf()])).toEqual([303, 410]);
  });

  test('is not used up by a preview with HEAD', async () => {
    add();
    expect([await statusOf('HEAD'), await statusOf()]).toEqual([200, 303]);
  });

  test('expires after 15 minutes', async () => {
    add();
    now = 15 * 60_000;
    expect(await statusOf()).toBe(410);
    now -= 1;
    expect(await statusOf()).toBe(303);
  });

  test('works again after the service has not issued a token', async () => {
    add();
    fetchToken.mockImplementationOnce(async () => new Response('', { status: 503 }));
    fetchToken.mockImplementationOnce(async () => {
      throw new TypeError('fetch failed');
    });
    expect([await statusOf(), await statusOf(), await statusOf()]).toEqual([503, 503, 303]);
  });

  test.each(['client_id', 'client_secret', 'refresh_token'])('does not exist without a %s', (name) => {
    expect(add({ ...access, [name]: undefined })).toBeUndefined();
  });
});

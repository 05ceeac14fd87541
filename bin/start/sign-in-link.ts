import { randomBytes } from 'node:crypto';
import type { LocalCloud } from '@rest-actions/local-cloud';
import type { Access } from './access.ts';

const lifetimeMinutes = 15;

/**
 * The page redirects to the console with an access token in the URL's fragment, which browsers do not send to a server.
 *
 * @param feed the path of the activity stream
 * @param now returns the time in milliseconds
 * @returns a function that returns a new link to the page. Each link works once, for a limited time, and only until the next one
 *   is created. Undefined if the user wrote `access.json` without a client or a refresh token
 */
export function addSignInPage(
  cloud: Pick<LocalCloud, 'addPage' | 'inboxUrl'>,
  access: Access,
  feed: string,
  now: () => number = Date.now,
): (() => string) | undefined {
  if (!access.client_id || !access.client_secret || !access.refresh_token) return undefined;
  /** The latest link, until it is used. */
  let valid: { readonly name: string; readonly expiresAt: number } | undefined;
  const url = cloud.addPage('/sign-in/*', async ({ method, name, isPrefetch }) => {
    // Browsers and chat programs can send HEAD to preview a link. A preview must not use up the link.
    if (method === 'HEAD') return text(200, '');
    // With an error, the browser loads the page again when the user opens it.
    if (isPrefetch) return text(503, 'This link works only once. Open it to use it.');
    const link = valid;
    if (link?.name !== name || now() >= link.expiresAt)
      return text(410, 'This link has been used, has expired, or has been replaced by a newer one.');
    valid = undefined;
    const accessToken = await accessTokenOf(access);
    if (accessToken === undefined) {
      valid ??= link;
      return text(503, 'The service did not issue an access token. Load this page again.');
    }
    const inbox = new URL(cloud.inboxUrl).pathname;
    const fragment = { access_token: accessToken, user: access.username, feed, inbox };
    return { location: `${access.base_url}/#${new URLSearchParams(fragment)}` };
  });
  return () => {
    const name = randomBytes(16).toString('base64url');
    valid = { name, expiresAt: now() + lifetimeMinutes * 60_000 };
    return url.replace('*', name);
  };
}

function text(status: number, sentence: string) {
  const hint = 'To get a new link, run npx dogs sign-in. You can also use the password in access.json.';
  return {
    status,
    contentType: 'text/plain; charset=utf-8',
    body: status === 410 ? `${sentence} ${hint}\n` : `${sentence}\n`,
  };
}

/** Returns an access token for the first user, or undefined if the service refuses the request or does not respond. */
async function accessTokenOf(access: Access): Promise<string | undefined> {
  const { auth_url, client_id = '', client_secret = '', refresh_token = '' } = access;
  const body = new URLSearchParams({ grant_type: 'refresh_token', client_id, client_secret, refresh_token });
  const response = await fetch(`${auth_url}/oauth2/v4/token`, { method: 'POST', body }).catch(
    () => undefined,
  );
  if (!response?.ok) return undefined;
  return ((await response.json()) as { access_token: string }).access_token;
}

import { randomBytes } from 'node:crypto';
import type { LocalCloud } from '../../local/start.ts';
import type { Access } from './access.ts';

/** How long the link works after the start of the service. */
const lifetimeMinutes = 15;

/**
 * Adds a page that signs a browser in to the console. It redirects to the console with an access token in the fragment of the
 * URL, which browsers do not send to a server. The page works once, for a limited time, and only on this machine.
 *
 * @param feed the path of the activity stream
 * @param now returns the time in milliseconds
 * @returns the URL of the page. Undefined if `access.json` has no client or no refresh token, because a user wrote the file
 */
export function addSignInLink(
  cloud: Pick<LocalCloud, 'addPage' | 'inboxUrl'>,
  access: Access,
  feed: string,
  now: () => number = Date.now,
): string | undefined {
  if (!access.client_id || !access.client_secret || !access.refresh_token) return undefined;
  const expiresAt = now() + lifetimeMinutes * 60_000;
  let isUsed = false;
  return cloud.addPage(`/sign-in/${randomBytes(16).toString('base64url')}`, async ({ method }) => {
    // Browsers and chat programs can send HEAD to preview a link. A preview must not use up the link.
    if (method === 'HEAD') return text(200, '');
    if (isUsed || now() >= expiresAt) return text(410, 'This link was used before, or it has expired.');
    isUsed = true;
    const accessToken = await accessTokenOf(access);
    if (accessToken === undefined) {
      isUsed = false;
      return text(503, 'The service did not issue an access token. Load this page again.');
    }
    const inbox = cloud.inboxUrl && new URL(cloud.inboxUrl).pathname;
    const fragment = { access_token: accessToken, user: access.username, feed, ...(inbox && { inbox }) };
    return { location: `${access.base_url}/#${new URLSearchParams(fragment)}` };
  });
}

function text(status: number, sentence: string) {
  const hint = 'To sign in, restart the service, or use the password in access.json.';
  return {
    status,
    contentType: 'text/plain; charset=utf-8',
    body: status === 410 ? `${sentence} ${hint}\n` : `${sentence}\n`,
  };
}

/** Returns an access token of the first user, or undefined if the service refuses the request or does not respond. */
async function accessTokenOf(access: Access): Promise<string | undefined> {
  const { auth_url, client_id = '', client_secret = '', refresh_token = '' } = access;
  const body = new URLSearchParams({ grant_type: 'refresh_token', client_id, client_secret, refresh_token });
  const response = await fetch(`${auth_url}/oauth2/v4/token`, { method: 'POST', body }).catch(
    () => undefined,
  );
  if (!response?.ok) return undefined;
  return ((await response.json()) as { access_token: string }).access_token;
}

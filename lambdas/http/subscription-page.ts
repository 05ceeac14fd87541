import type { Subscription } from '../domain/suspensions/suspend.ts';
import { contentSecurityPolicyOf } from './content-security-policy.ts';
import type { Response } from './endpoint.ts';
import { mediaTypeOf } from './header.ts';
import { invalidBody, Problem } from './problem.ts';
import type { Request } from './request.ts';

/** https://www.rfc-editor.org/rfc/rfc8058#section-3.1 */
const oneClick = { name: 'List-Unsubscribe', value: 'One-Click' };

/**
 * Checks for the form with which a mail program unsubscribes.
 *
 * @throws Problem 413 for a body that is too large, 415 for a body that is not a form, 422 for a form without the field
 * @see {@link https://www.rfc-editor.org/rfc/rfc8058#section-3.2 RFC 8058 section 3.2}
 */
export function checkOneClick(request: Request): void {
  const text = request.bytes().toString('utf8');
  if (fieldIn(text, mediaTypeOf(request.header('Content-Type'))) !== oneClick.value)
    throw invalidBody([{ pointer: `/${oneClick.name}`, detail: `must be ${oneClick.value}` }]);
}

function fieldIn(text: string, mediaType: string): string | undefined {
  if (mediaType === 'application/x-www-form-urlencoded')
    return new URLSearchParams(text).get(oneClick.name) ?? undefined;
  // RFC 7578 defines more syntax, but no mail program needs it for this one field.
  if (mediaType === 'multipart/form-data')
    return /name="List-Unsubscribe"\r\n(?:[^\r\n]+\r\n)*\r\n([^\r\n]*)\r\n--/i.exec(text)?.[1];
  throw new Problem(
    'unsupported-media-type',
    'The request body must be a form. Send it with Content-Type: application/x-www-form-urlencoded or multipart/form-data.',
    { headers: { 'Accept-Post': 'application/x-www-form-urlencoded, multipart/form-data' } },
  );
}

const style =
  'body{font:1rem/1.5 system-ui,sans-serif;max-width:34rem;margin:4rem auto;padding:0 1rem;color-scheme:light dark}button{font:inherit;padding:.5rem 1rem}';

/** The page's form sends the same request as a mail program. */
export function subscriptionPage(dogId: string, { addresses, isEnded }: Subscription): Response {
  const to = escaped(addresses.join(' and '));
  const title = isEnded ? 'You are unsubscribed' : 'Unsubscribe';
  const content = isEnded
    ? `<p>The dog ${dogId} no longer sends mail to ${to}.</p>`
    : `<p>The dog ${dogId} sends mail to ${to}.</p><form method="post"><button name="${oneClick.name}" value="${oneClick.value}">Stop this mail</button></form>`;
  const page = `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><meta name="robots" content="noindex"><title>${title}</title><style>${style}</style></head><body><main><h1>${title}</h1>${content}</main></body></html>\n`;
  return {
    status: 200,
    headers: {
      'Content-Type': 'text/html; charset=utf-8',
      'Content-Security-Policy': contentSecurityPolicyOf(page, { formAction: "'self'" }),
      // The URL contains the token.
      'Referrer-Policy': 'no-referrer',
    },
    body: page,
  };
}

function escaped(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}

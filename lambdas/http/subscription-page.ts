import { escapeHtml } from '../domain/platform/html.ts';
import type { Subscription } from '../domain/suspensions/suspend.ts';
import { contentSecurityPolicyOf } from './content-security-policy.ts';
import type { Response } from './endpoint.ts';
import { mediaTypeOf } from './header.ts';
import { invalidBody, Problem } from './problem.ts';
import type { Request } from './request.ts';
import { style } from './subscription-style.ts';

/** https://www.rfc-editor.org/rfc/rfc8058#section-3.1 */
const oneClick = { name: 'List-Unsubscribe', value: 'One-Click' };

/** The field that subscribes the recipient again. */
const undo = { name: 'subscribed', value: 'true' };

/**
 * @returns true if the form unsubscribes the recipient, false if it subscribes the recipient again
 * @throws Problem 413 if the body is too large, 415 if it is not a form, 422 if the form has neither field
 * @see {@link https://www.rfc-editor.org/rfc/rfc8058#section-3.2 RFC 8058 section 3.2}
 */
export function unsubscribes(request: Request): boolean {
  const text = request.bytes().toString('utf8');
  const fieldOf = fieldsIn(text, mediaTypeOf(request.header('Content-Type')));
  if (fieldOf(oneClick.name) === oneClick.value) return true;
  if (fieldOf(undo.name) === undo.value) return false;
  throw invalidBody([{ pointer: `/${oneClick.name}`, detail: `must be ${oneClick.value}` }]);
}

function fieldsIn(text: string, mediaType: string): (name: string) => string | null | undefined {
  if (mediaType === 'application/x-www-form-urlencoded') {
    const fields = new URLSearchParams(text);
    return (name) => fields.get(name);
  }
  // RFC 7578 defines more syntax, but no mail program needs it for one field.
  if (mediaType === 'multipart/form-data')
    return (name) =>
      new RegExp(`name="${name}"\r\n(?:[^\r\n]+\r\n)*\r\n([^\r\n]*)\r\n--`, 'i').exec(text)?.[1];
  throw new Problem(
    'unsupported-media-type',
    'The request body must be a form. Send it with Content-Type: application/x-www-form-urlencoded or multipart/form-data.',
    { headers: { 'Accept-Post': 'application/x-www-form-urlencoded, multipart/form-data' } },
  );
}

const paw =
  '<svg viewBox="0 0 16 16" width="22" height="22" aria-hidden="true"><circle cx="3" cy="7" r="1.9"/><circle cx="6.2" cy="4" r="2"/><circle cx="9.8" cy="4" r="2"/><circle cx="13" cy="7" r="1.9"/><ellipse cx="8" cy="11" rx="4" ry="3.4"/></svg>';

/**
 * The unsubscribe form sends the same request as a mail program.
 *
 * @param isUndone true if this request has subscribed the recipient again
 */
export function subscriptionPage(dogId: string, subscription: Subscription, isUndone = false): Response {
  const { addresses, reached, canResume } = subscription;
  const to = (list: readonly string[]) => escapeHtml(list.join(' and '));
  const [title, text, form] =
    reached.length === 0
      ? [
          'You are unsubscribed',
          `The dog ${dogId} no longer sends mail to ${to(addresses)}.`,
          canResume ? formOf(undo, 'Undo') : '',
        ]
      : [
          isUndone ? 'You are subscribed again' : 'Unsubscribe',
          `The dog ${dogId} sends mail to ${to(reached)}${isUndone ? ' again' : ''}.`,
          formOf(oneClick, 'Stop this mail', 'main'),
        ];
  const page = `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><meta name="robots" content="noindex"><title>${title} – Dog service</title><style>${style}</style></head><body><header>${paw}Dog service</header><main><h1>${title}</h1><div class="card"><p>${text}</p>${form}</div></main></body></html>\n`;
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

function formOf({ name, value }: typeof undo, label: string, kind = ''): string {
  return `<form method="post"><button${kind && ` class="${kind}"`} name="${name}" value="${value}">${label}</button></form>`;
}

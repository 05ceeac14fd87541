import Negotiator from 'negotiator';
import type { AwsEndpoint, PageContent } from '../endpoint/endpoint.ts';
import type { Mailbox } from './mailbox.ts';

export interface MailPages {
  readonly inboxUrl: string;
  readonly mailUrl: string;
}

/**
 * Serves a mailbox's emails below a path:
 *
 * | Request         | Response                                                                                            |
 * | --------------- | --------------------------------------------------------------------------------------------------- |
 * | `GET /`         | the HTML page                                                                                       |
 * | `GET /mails`    | a `MailPage` as JSON. The query can contain `address`, `text`, `limit`, `before` and `after`        |
 * | `GET /mails/ID` | one email: the HTML page if the client prefers HTML, otherwise JSON                                 |
 * | `GET /html/ID`  | the HTML of an email, for a frame. Its links open a new tab                                         |
 * | `GET /events`   | a stream with an event after each change                                                            |
 * | `DELETE /mails` | 204, after all emails are deleted                                                                   |
 *
 * @param path must be an `unguessablePath`
 * @param page returns the HTML page for the URL of the inbox
 */
export function serveInbox(
  endpoint: AwsEndpoint,
  mailbox: Mailbox,
  path: string,
  page: (inboxUrl: string) => PageContent,
): MailPages {
  const inboxUrl = `${endpoint.url}${path}/`;
  endpoint.addPage(`${path}/`, () => page(inboxUrl));
  endpoint.addPage(`${path}/mails/*`, ({ name, accept }) => {
    if (prefersHtml(accept)) return page(inboxUrl);
    const mail = mailbox.find(name);
    return mail ? json(200, mail) : json(404, { message: `There is no email "${name}".` });
  });
  // The endpoint's default policy allows no script in this page.
  endpoint.addPage(`${path}/html/*`, ({ name }) => {
    const html = mailbox.find(name)?.body.html;
    return html
      ? { contentType: 'text/html; charset=utf-8', body: `${html}<base target="_blank">` }
      : json(404, { message: `The email "${name}" does not exist or has no HTML.` });
  });
  endpoint.addPage(`${path}/events`, () => ({ subscribe: (listener) => mailbox.onChange(listener) }));
  endpoint.addAction('DELETE', `${path}/mails`, () => mailbox.clear());
  return {
    inboxUrl,
    mailUrl: endpoint.addPage(`${path}/mails`, ({ query }) => list(mailbox, query)),
  };
}

function list(mailbox: Mailbox, query: URLSearchParams): PageContent {
  const [address, text, before, after, limit] = ['address', 'text', 'before', 'after', 'limit'].map(
    (name) => query.get(name) ?? undefined,
  );
  if (limit !== undefined && !/^[1-9]\d{0,5}$/.test(limit))
    return json(400, { message: 'The limit must be an integer from 1 to 999999.' });
  const selection = { before, after, ...(limit && { limit: Number(limit) }) };
  return json(200, mailbox.list({ address, text }, selection));
}

function json(status: number, body: object): PageContent {
  return { status, contentType: 'application/json', body: JSON.stringify(body) };
}

function prefersHtml(field = '*/*'): boolean {
  // The negotiator matches parameters, such as a charset, which do not matter here.
  const accept = field.replace(/"(?:[^"\\]|\\.)*"/g, '').replace(/;(?!\s*q\s*=)[^,;]*/gi, '');
  const negotiator = new Negotiator({ headers: { accept } });
  return negotiator.mediaType(['application/json', 'text/html']) === 'text/html';
}

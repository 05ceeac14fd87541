import { escaped } from '../endpoint/response.ts';
import type { ServiceTexts } from '../platform/service-texts.ts';
import { type Mail, recipientsOf } from './mail.ts';

/**
 * Returns the HTML page that shows all mails.
 *
 * @param mails newest first
 */
export function inboxPage(mails: readonly Mail[], { name, emptyInbox }: ServiceTexts): string {
  const known = new Set<string>();
  const articles = mails.map(
    (mail) => `<article id="${escaped(mail.messageId)}">
<h2>${escaped(mail.subject)}</h2>
<p>${escaped(mail.from)} to ${recipientsOf(mail)
      .map((address) => recipient(address, known))
      .join(', ')}, <time>${new Date(mail.at * 1000).toISOString()}</time></p>
<pre>${escaped(mail.body.text)}</pre>
</article>`,
  );
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>Inbox of the ${escaped(name)}</title>
<style>
:root { color-scheme: light dark; font: 1rem/1.5 system-ui, sans-serif }
body { max-width: 44rem; margin: 2rem auto; padding: 0 1rem }
article { border: 1px solid color-mix(in srgb, currentColor 25%, transparent); border-radius: .5rem; padding: .5rem 1rem; margin: 1rem 0 }
span { scroll-margin-top: 5rem }
article:target, article:has(:target) { border: 2px solid light-dark(#a5461a, #f0a079) }
h1 { font-size: 1.5rem } h2 { font-size: 1.1rem; margin: 0 } p { margin: 0; opacity: .75 } pre { white-space: pre-wrap; font: inherit }
</style>
<main>
<h1>Inbox</h1>
<p>${mails.length === 0 ? escaped(emptyInbox) : summary(mails.length)}</p>
${articles.join('\n')}
</main>
</html>
`;
}

/**
 * Returns the HTML for an address. When the address first appears on the page, the HTML has an ID, so that a link such as
 * `#rex@example.com` leads to the newest mail to that address.
 *
 * @param known the addresses that have already appeared. The function adds the address
 */
function recipient(address: string, known: Set<string>): string {
  if (known.has(address)) return escaped(address);
  known.add(address);
  return `<span id="${escaped(address)}">${escaped(address)}</span>`;
}

function summary(count: number): string {
  return `${count === 1 ? 'One mail' : `${count} mails, newest first`}. Reload to see new ones.`;
}

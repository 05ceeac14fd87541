import { hash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { PageContent } from '../endpoint/endpoint.ts';
import type { ServiceTexts } from '../platform/service-texts.ts';

/** Allows only the page's own script and styles, calls to its origin, and frames for the emails' HTML. */
function contentSecurityPolicyOf(html: string): string {
  const digestOf = (element: string) => {
    const [, content = ''] = new RegExp(`<${element}[^>]*>(.*?)</${element}>`, 's').exec(html) ?? [];
    return `'sha256-${hash('sha256', content, 'base64')}'`;
  };
  return [
    "default-src 'none'",
    `script-src ${digestOf('script')}`,
    `style-src ${digestOf('style')}`,
    "connect-src 'self'",
    "frame-src 'self'",
    'img-src data:',
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ');
}

/**
 * @param baseUrl the URL of the service, without a trailing slash
 * @param inboxUrl the URL of the inbox, with a trailing slash
 */
export function inboxPage(
  { name, inboxHint = 'No email has been sent.', pages = [] }: ServiceTexts,
  baseUrl: string,
  inboxUrl: string,
): PageContent {
  const template = readFileSync(join(import.meta.dirname, 'inbox.html'), 'utf8');
  const links = pages.map(({ path, text }) => `<a href="${baseUrl}/${path}">${text}</a>`).join('');
  const html = template
    .replaceAll('{{name}}', name)
    .replaceAll('{{inbox}}', inboxUrl)
    .replace('{{links}}', () => (links === '' ? '' : `<nav aria-label="Pages">${links}</nav>`))
    .replace('{{hint}}', () => inboxHint);
  return {
    contentType: 'text/html; charset=utf-8',
    body: html,
    contentSecurityPolicy: contentSecurityPolicyOf(html),
  };
}

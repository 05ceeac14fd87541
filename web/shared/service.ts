/** The page that runs this script. */
const page = document.documentElement.dataset.page === 'docs' ? 'docs' : 'console';

/** The URL of the service without a trailing slash. Its path may include a stage. */
export const base = location.href
  .replace(/[?#].*$/, '')
  .replace(/\/$/, '')
  .replace(page === 'docs' ? /\/docs$/ : /$/, '');

/** True if `npm start` runs the service on this machine. */
export const isLocal = ['127.0.0.1', '[::1]', 'localhost'].includes(location.hostname);

/** Returns the part of a URL that follows the URL of the service. */
export function pathIn(url: string): string {
  return url.startsWith(`${base}/`) ? url.slice(base.length) : new URL(url).pathname;
}

/**
 * Sets the links of the header to URLs of the service, because the relative URLs in the HTML are wrong if the URL of the console
 * has no trailing slash. Marks the link to the current page.
 */
export function connectHeader(): void {
  for (const link of document.querySelectorAll<HTMLAnchorElement>('.page-header a[data-path]')) {
    link.href = `${base}${link.dataset.path}`;
    const isCurrent = link.dataset.path === (page === 'docs' ? '/docs' : '/');
    if (isCurrent && link.closest('nav')) link.setAttribute('aria-current', 'page');
  }
}

/** The path of this page, relative to the service's URL. */
const { path = '/' } = document.documentElement.dataset;

const address = location.href.replace(/[?#].*$/, '').replace(/\/$/, '');

/** The service's URL without a trailing slash. The path may include a stage. */
export const base = address.endsWith(path) ? address.slice(0, -path.length) : address;

/** True if `npm start` runs the service. API Gateway serves no http URLs. */
export const isLocal = location.protocol === 'http:';

/** Returns the part of a URL after the service's URL, or only the path if the URL is outside the service. */
export function pathIn(url: string): string {
  return url.startsWith(`${base}/`) ? url.slice(base.length) : new URL(url).pathname;
}

/**
 * Makes the header's links absolute, because relative ones break if the page's URL has no trailing slash. Marks the link to the
 * current page.
 */
export function connectHeader(): void {
  for (const link of document.querySelectorAll<HTMLAnchorElement>('.page-header a[data-path]')) {
    link.href = `${base}${link.dataset.path}`;
    if (link.dataset.path === path && link.closest('nav')) link.setAttribute('aria-current', 'page');
  }
}

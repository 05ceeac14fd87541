/** The URL of the service without a trailing slash. Its path may include a stage. */
export const base = location.href.replace(/[?#].*$/, '').replace(/\/$/, '');

/** True if `npm start` runs the service on this machine. */
export const isLocal = ['127.0.0.1', '[::1]', 'localhost'].includes(location.hostname);

/** Returns the part of a URL that follows the URL of the service. */
export function pathIn(url: string): string {
  return url.startsWith(`${base}/`) ? url.slice(base.length) : new URL(url).pathname;
}

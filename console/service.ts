/** The URL of the service without a trailing slash. Its path may include a stage. */
export const base = location.href.replace(/[?#].*$/, '').replace(/\/$/, '');

/** The URL of the local inbox, or an empty string if the service sends real mail. */
export const inbox = document.querySelector<HTMLMetaElement>('meta[name=inbox]')?.content ?? '';

/** Returns the part of a URL that follows the URL of the service. */
export function pathIn(url: string): string {
  return url.startsWith(`${base}/`) ? url.slice(base.length) : new URL(url).pathname;
}

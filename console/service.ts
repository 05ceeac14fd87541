/** The service's URL, without a slash at its end: a stage may be in the path. */
export const base = location.href.replace(/[?#].*$/, '').replace(/\/$/, '');

/** Where the mails of this machine are shown; empty where they really go out. */
export const inbox = document.querySelector<HTMLMetaElement>('meta[name=inbox]')?.content ?? '';

/** What follows the service's URL in one that it gave. */
export function pathIn(url: string): string {
  return url.startsWith(`${base}/`) ? url.slice(base.length) : new URL(url).pathname;
}

/** The URL of the service, without a slash at the end. Its path may contain a stage. */
export const base = location.href.replace(/[?#].*$/, '').replace(/\/$/, '');

/** The URL of the page that shows the mails on one machine. Empty on AWS. */
export const inbox = document.querySelector<HTMLMetaElement>('meta[name=inbox]')?.content ?? '';

/** Returns the path of a URL, relative to the URL of the service. */
export function pathIn(url: string): string {
  return url.startsWith(`${base}/`) ? url.slice(base.length) : new URL(url).pathname;
}

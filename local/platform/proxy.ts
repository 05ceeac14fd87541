/**
 * Makes this process connect directly to itself, to other programs on this machine, and to the hosts of the URLs, even if
 * `NODE_USE_ENV_PROXY` is set. A proxy could not reach them. Safe to call again.
 */
export function bypassProxy(...urls: readonly string[]): void {
  const { no_proxy, NO_PROXY = '' } = process.env;
  const hosts = ['127.0.0.1', 'localhost', '[::1]', ...urls.map((url) => new URL(url).hostname)];
  const list = [...new Set([...(no_proxy ?? NO_PROXY).split(','), ...hosts])].filter(Boolean).join();
  // `fetch` reads these variables before each request. The one in lower case takes precedence.
  process.env.no_proxy = list;
  process.env.NO_PROXY = list;
}

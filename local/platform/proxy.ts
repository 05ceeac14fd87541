/**
 * Makes this process connect directly to itself, to other programs on this machine, and to the hosts of the URLs, even if
 * `NODE_USE_ENV_PROXY` is set. A proxy could not reach them. Changes nothing without a proxy, because the processes that this one
 * starts get the list too, and some HTTP clients refuse `[::1]` in it. Safe to call again.
 */
export function bypassProxy(...urls: readonly string[]): void {
  if (!Object.entries(process.env).some(([name, value]) => /^(https?|all)_proxy$/i.test(name) && value))
    return;
  const { no_proxy, NO_PROXY = '' } = process.env;
  const hosts = ['127.0.0.1', 'localhost', '[::1]', ...urls.map((url) => new URL(url).hostname)];
  const list = [...new Set([...(no_proxy ?? NO_PROXY).split(','), ...hosts])].filter(Boolean).join();
  // `fetch` reads these variables before each request. The one in lower case takes precedence.
  process.env.no_proxy = list;
  process.env.NO_PROXY = list;
}

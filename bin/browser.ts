import { spawn } from 'node:child_process';

const openers: Readonly<Record<string, readonly [string, ...string[]]>> = {
  darwin: ['open'],
  win32: ['cmd', '/c', 'start', ''],
};

/** A browser opens a secret link through this file, which only the file's owner can read. */
export const linkFile = 'sign-in.html';

/**
 * Returns a page that redirects to a link. All users of the machine can see the browser's command line, so it names a file with
 * this page instead of the link.
 */
export function redirectTo(link: string): string {
  return `<!doctype html><meta http-equiv="refresh" content="0; url=${link}">\n`;
}

/** Opens a file or a URL in the browser (best effort). */
export function openInBrowser(target: string): void {
  const [program, ...parameters] = openers[process.platform] ?? ['xdg-open'];
  const browser = spawn(program, [...parameters, target], { stdio: 'ignore', detached: true });
  browser.on('error', () => {});
  browser.unref();
}

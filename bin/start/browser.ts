import { spawn } from 'node:child_process';
import type { DataDirectory } from '../../local/platform/data-directory.ts';

const file = 'sign-in.html';

const openers: Readonly<Record<string, readonly [string, ...string[]]>> = {
  darwin: ['open'],
  win32: ['cmd', '/c', 'start', ''],
};

/**
 * Opens a sign-in link in the browser. All users of the machine can see the command line of the browser, so it contains only the path of
 * a file, which redirects to the link. Does nothing if there is no browser.
 */
export function openLink(directory: DataDirectory, link: string): void {
  directory.writeText(file, `<!doctype html><meta http-equiv="refresh" content="0; url=${link}">\n`);
  const [program, ...parameters] = openers[process.platform] ?? ['xdg-open'];
  const browser = spawn(program, [...parameters, directory.file(file)], { stdio: 'ignore', detached: true });
  browser.on('error', () => {});
  browser.unref();
}

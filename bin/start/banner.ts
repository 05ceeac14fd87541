import type { LocalCloud } from '@rest-actions/local-cloud';
import type { Access } from './access.ts';
import type { Paint } from './activity-lines.ts';
import { quoted, shortPath } from './paths.ts';

export interface Ready {
  readonly type: 'ready';
  readonly baseUrl: string;
  /** The time since the process started. */
  readonly durationMs: number;
  readonly consoleUrl: string;
  readonly docsUrl: string;
  /** The URL that signs a browser in to the console, once. Absent if `access.json` has no client or no refresh token. */
  readonly signInUrl?: string;
  readonly inboxUrl: string;
  /** The URLs of the console for other machines. */
  readonly networkUrls: readonly string[];
  readonly username: string;
  /** The file that contains the password. */
  readonly accessFile: string;
  readonly curlFile: string;
}

export function readyFacts(
  { base_url, username }: Access,
  { inboxUrl, networkUrls, directory }: Pick<LocalCloud, 'inboxUrl' | 'networkUrls' | 'directory'>,
  signInUrl: string | undefined,
): Ready {
  return {
    type: 'ready',
    baseUrl: base_url,
    durationMs: Math.round(performance.now()),
    consoleUrl: `${base_url}/`,
    docsUrl: `${base_url}/docs`,
    ...(signInUrl && { signInUrl }),
    inboxUrl,
    networkUrls: networkUrls.map((networkUrl) => `${networkUrl}/`),
    username,
    accessFile: directory.file('access.json'),
    curlFile: directory.file('curlrc'),
  };
}

/** @param hasKeys true if the service reads keys from the terminal */
export function banner(ready: Ready, paint: Paint, hasKeys = false): string {
  const { baseUrl, durationMs, consoleUrl, docsUrl, signInUrl, inboxUrl, networkUrls } = ready;
  const { username, accessFile, curlFile } = ready;
  const url = (text: string) => paint('cyan', text);
  const rows: (readonly [string, string])[] = [
    ['Console', url(consoleUrl)],
    ...(signInUrl ? [['Sign in', `${url(signInUrl)} (once)`] as const] : []),
    ['API docs', url(docsUrl)],
    ['Inbox', url(inboxUrl)],
    ...networkUrls.map((networkUrl) => ['Network', url(networkUrl)] as const),
    ['User', `${username} (password in ${shortPath(accessFile)})`],
  ];
  return [
    '',
    `${paint('bold', `Dog service ready at ${baseUrl}`)} in ${(durationMs / 1000).toFixed(1)} s`,
    '',
    ...rows.map(([name, value]) => `  ${paint('dim', name.padEnd(9))} ${value}`),
    '',
    'Make a dog bark:',
    `  curl -iK ${quoted(shortPath(curlFile))} -X POST ${quoted(`${baseUrl}/v1/dogs/record-sync/barks`)}`,
    '',
    ...(hasKeys
      ? [paint('dim', 'Press o + Enter to open the console, and h + Enter for the other keys.')]
      : []),
    paint('dim', 'Press Ctrl-C to stop.'),
    '',
  ].join('\n');
}

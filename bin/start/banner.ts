import type { LocalCloud } from '@rest-actions/local-cloud';
import type { Access } from './access.ts';
import type { Paint } from './activity-lines.ts';
import type { BannerRow } from './page.ts';
import { quoted, shortPath } from './paths.ts';

export interface Ready {
  readonly type: 'ready';
  readonly baseUrl: string;
  /** The time since the process started. */
  readonly durationMs: number;
  readonly inboxUrl: string;
  /** The URLs of the service for other machines. */
  readonly networkUrls: readonly string[];
  readonly username: string;
  /** The file that contains the password. */
  readonly accessFile: string;
  readonly curlFile: string;
}

export function readyFacts(
  { base_url, username }: Access,
  { inboxUrl, networkUrls, directory }: Pick<LocalCloud, 'inboxUrl' | 'networkUrls' | 'directory'>,
): Ready {
  return {
    type: 'ready',
    baseUrl: base_url,
    durationMs: Math.round(performance.now()),
    inboxUrl,
    networkUrls: networkUrls.map((networkUrl) => `${networkUrl}/`),
    username,
    accessFile: directory.file('access.json'),
    curlFile: directory.file('curlrc'),
  };
}

/**
 * @param pages the lines about the pages of the service
 * @param hints what each key does, as the end of a sentence; none if the service reads no keys from the terminal
 */
export function banner(
  { baseUrl, durationMs, inboxUrl, networkUrls, username, accessFile, curlFile }: Ready,
  pages: readonly BannerRow[],
  hints: readonly string[],
  paint: Paint,
): string {
  const urls: readonly BannerRow[] = [
    ...pages,
    ['Inbox', inboxUrl],
    ...networkUrls.map((url) => ['Network', url] as const),
  ];
  const rows = [
    ...urls.map(([label, url, ...remark]) => [label, [paint('cyan', url), ...remark].join(' ')] as const),
    ['User', `${username} (password in ${shortPath(accessFile)})`] as const,
  ];
  return [
    '',
    `${paint('bold', `Dog service ready at ${baseUrl}`)} in ${(durationMs / 1000).toFixed(1)} s`,
    '',
    ...rows.map(([label, text]) => `  ${paint('dim', label.padEnd(9))} ${text}`),
    '',
    'Make a dog bark:',
    `  curl -iK ${quoted(shortPath(curlFile))} -X POST ${quoted(`${baseUrl}/v1/dogs/record-sync/barks`)}`,
    '',
    ...(hints.length > 0 ? [paint('dim', `Press ${hints.join(', and ')}.`)] : []),
    paint('dim', 'Press Ctrl-C to stop.'),
    '',
  ].join('\n');
}

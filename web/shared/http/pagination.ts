import { pathIn } from '../service.ts';

/**
 * Returns the path of the next page.
 *
 * @param link the value of the Link header
 * @see {@link https://www.rfc-editor.org/rfc/rfc8288 RFC 8288}
 */
export function nextOf(link: string | undefined): string | undefined {
  const [, url] = /<([^>]*)>; rel="next"/.exec(link ?? '') ?? [];
  return url === undefined ? undefined : pathIn(url);
}

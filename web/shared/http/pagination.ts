/**
 * @param link the value of the Link header
 * @see {@link https://www.rfc-editor.org/rfc/rfc8288 RFC 8288}
 */
export function nextUrlOf(link: string | undefined): string | undefined {
  return /<([^>]*)>; rel="next"/.exec(link ?? '')?.[1];
}

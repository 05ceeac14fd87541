import { type Exchange, headerOf } from '../shared/http/exchange.ts';
import { pathIn } from '../shared/service.ts';

/** @see {@link https://www.rfc-editor.org/rfc/rfc8288 RFC 8288} */
export function nextPathOf(exchange: Exchange): string | undefined {
  const [, url] = /<([^>]*)>; rel="next"/.exec(headerOf(exchange, 'link') ?? '') ?? [];
  return url && pathIn(url);
}

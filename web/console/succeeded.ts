import type { Exchange } from '../shared/http/exchange.ts';

export function succeeded({ response }: Exchange): boolean {
  return response !== undefined && response.status < 400;
}

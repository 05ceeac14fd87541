import { effect, signal } from '@preact/signals';
import type { Exchange } from '../shared/http/exchange.ts';
import type { Request } from '../shared/http/requests.ts';
import { credentials, send as sendInSession } from '../shared/session.ts';

/** True from a request without a response until one that succeeds. */
export const isUnreachable = signal(false);

effect(() => {
  if (!credentials.value) isUnreachable.value = false;
});

export async function send(request: Request): Promise<Exchange> {
  const sender = credentials.value;
  const exchange = await sendInSession(request);
  if (sender && sender === credentials.value) {
    const { status } = exchange.response ?? {};
    if (status === undefined) isUnreachable.value = true;
    else if (status < 500) isUnreachable.value = false;
  }
  return exchange;
}

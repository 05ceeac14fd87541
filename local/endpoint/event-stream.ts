import type { ServerResponse } from 'node:http';

/** Server-sent events without details, which tell a page only that something has changed. */
export interface EventStream {
  /** Returns a function that removes the listener. */
  subscribe(listener: () => void): () => void;
}

const reconnectMs = 1_000;

export function sendEvents(response: ServerResponse, events: EventStream): void {
  response.writeHead(200, { 'Content-Type': 'text/event-stream', 'Cache-Control': 'no-store' });
  response.write(`retry: ${reconnectMs}\n\n`);
  // A browser would ignore an event without data.
  response.once(
    'close',
    events.subscribe(() => response.write('data: changed\n\n')),
  );
}

import type { ServerResponse } from 'node:http';

/**
 * A stream of server-sent events. The events carry no details: they notify the page that something has changed.
 *
 * @see {@link https://html.spec.whatwg.org/multipage/server-sent-events.html HTML: server-sent events}
 */
export interface EventStream {
  /** Calls a listener for each event. Returns a function that removes the listener. */
  subscribe(listener: () => void): () => void;
}

/** How long a browser waits before it reconnects after the connection has ended. */
const reconnectMs = 1_000;

/** Sends the events until the client closes the connection. */
export function sendEvents(response: ServerResponse, events: EventStream): void {
  response.writeHead(200, { 'Content-Type': 'text/event-stream', 'Cache-Control': 'no-store' });
  response.write(`retry: ${reconnectMs}\n\n`);
  // A browser would ignore an event without data.
  response.once(
    'close',
    events.subscribe(() => response.write('data: changed\n\n')),
  );
}

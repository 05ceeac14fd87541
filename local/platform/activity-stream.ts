import type { IncomingMessage, ServerResponse } from 'node:http';
import { type Activity, onActivity } from './activity.ts';
import { type Clock, systemClock } from './clock.ts';

const keptEvents = 500;

const maximumUnsentBytes = 1024 * 1024;

const retryMs = 2_000;

/** Marks the end of past events. It has no ID, so it does not change the client's `Last-Event-ID`. */
const liveEvent = 'event: live\ndata: {}\n\n';

interface StreamEvent {
  readonly id: number;
  readonly text: string;
}

/**
 * Sends activities to clients as server-sent events, each as JSON with its time in `time`. A client first receives the latest 500
 * events, or those after its `Last-Event-ID`, and then an event of type `live`. Every event after `live` happens in real time. A
 * client that reads too slowly is disconnected.
 *
 * Leaves out logs, cold starts, reloads, messages, and requests with a safe method unless the response is a server error.
 *
 * @see {@link https://html.spec.whatwg.org/multipage/server-sent-events.html Server-sent events}
 */
export class ActivityStream {
  private readonly events: StreamEvent[] = [];
  private readonly clients = new Set<ServerResponse>();
  private readonly stopListening = onActivity((activity) => this.add(activity));
  private lastId = 0;
  private isClosed = false;
  private readonly clock: Pick<Clock, 'now'>;

  constructor(clock: Pick<Clock, 'now'> = systemClock) {
    this.clock = clock;
  }

  readonly serve = ({ headers }: IncomingMessage, response: ServerResponse): void => {
    response.writeHead(200, {
      'Content-Type': 'text/event-stream',
      'Cache-Control': 'no-store',
      'X-Content-Type-Options': 'nosniff',
      // The connection ends with the stream, so that a closing server does not wait for an idle connection.
      Connection: 'close',
    });
    if (this.isClosed) {
      response.end();
      return;
    }
    // An ID that is absent or not a number selects all events.
    const last = Number(headers['last-event-id']) || 0;
    const missed = this.events.filter(({ id }) => id > last).map(({ text }) => text);
    response.write(`retry: ${retryMs}\n\n${missed.join('')}${liveEvent}`);
    this.clients.add(response);
    // A write after the client has disconnected fails. The client receives the event when it reconnects.
    response.on('error', () => {});
    response.once('close', () => this.clients.delete(response));
  };

  close(): void {
    this.isClosed = true;
    this.stopListening();
    for (const client of this.clients) client.end();
  }

  private add(activity: Activity): void {
    if (!isShown(activity)) return;
    this.lastId += 1;
    const data = JSON.stringify({ time: new Date(this.clock.now()).toISOString(), ...activity });
    const event = { id: this.lastId, text: `id: ${this.lastId}\ndata: ${data}\n\n` };
    this.events.push(event);
    if (this.events.length > keptEvents) this.events.shift();
    this.send(event.text);
  }

  private send(text: string): void {
    for (const client of this.clients)
      if (client.writableLength > maximumUnsentBytes) client.destroy();
      else client.write(text);
  }
}

const safeMethods = ['GET', 'HEAD', 'OPTIONS'];
const shownTypes = ['event', 'invocation', 'mail', 'occurrence', 'workflow'];

function isShown(activity: Activity): boolean {
  if (activity.type !== 'request') return shownTypes.includes(activity.type);
  return !safeMethods.includes(activity.method) || activity.status >= 500;
}

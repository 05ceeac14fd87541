import { signal } from '@preact/signals';
import { dogOf, type Entry, entriesAfter, type LocalActivity } from './feed.ts';

/** How long the feed collects activities before it shows them and calls the listener, because each change renders the feed. */
const collectMs = 100;

/** Newest first. */
export const entries = signal<readonly Entry[]>([]);

export const isConnected = signal(false);

/** True if the page receives the activity stream. */
export const hasStream = signal(false);

interface Listener {
  /** Called soon after an activity of a dog, but only once per dog within `collectMs`. */
  readonly onDog: (dog: string) => void;
  /** Called once per connection, after the stream has sent its past activities. */
  readonly onLive: () => void;
}

/**
 * Receives the activities from a stream. Disconnects while the page is hidden, because a browser opens only six connections to a
 * server. The browser itself restores lost connections.
 *
 * @returns a function that disconnects and empties the feed
 */
export function connect(path: string, { onDog, onLive }: Listener): () => void {
  let source: EventSource | undefined;
  let collected: LocalActivity[] = [];
  let timer: ReturnType<typeof setTimeout> | undefined;
  let isLive = false;
  const changedDogs = new Set<string>();
  const deliver = () => {
    clearTimeout(timer);
    timer = undefined;
    entries.value = collected.reduce(entriesAfter, entries.peek());
    collected = [];
    const dogs = [...changedDogs];
    changedDogs.clear();
    dogs.forEach(onDog);
  };
  const disconnect = () => {
    source?.close();
    isConnected.value = false;
  };
  const open = () => {
    disconnect();
    if (document.hidden || !hasStream.value) return;
    const opened = new EventSource(path);
    source = opened;
    opened.onopen = () => {
      isLive = false;
      isConnected.value = true;
    };
    opened.onerror = () => {
      isConnected.value = false;
      // `CLOSED` means that the service responds, but has no stream at this path.
      if (opened.readyState === EventSource.CLOSED) hasStream.value = false;
    };
    opened.onmessage = ({ data }) => {
      const activity: LocalActivity = JSON.parse(data);
      collected.push(activity);
      const dog = dogOf(activity);
      if (dog !== undefined && isLive) changedDogs.add(dog);
      timer ??= setTimeout(deliver, collectMs);
    };
    opened.addEventListener('live', () => {
      isLive = true;
      deliver();
      onLive();
    });
  };
  hasStream.value = true;
  document.addEventListener('visibilitychange', open);
  open();
  return () => {
    document.removeEventListener('visibilitychange', open);
    hasStream.value = false;
    disconnect();
    clearTimeout(timer);
    entries.value = [];
  };
}

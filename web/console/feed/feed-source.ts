import { signal } from '@preact/signals';
import { seconds } from '../../shared/time.ts';
import { changes, type Snapshot } from './derived.ts';
import { type Entry, merged } from './feed.ts';
import { dogOf, entryOf, type LocalActivity } from './local-activity.ts';

/** How long the feed collects activities before it shows them and calls the listeners. */
const collectMs = 100;

/** Newest first. */
export const entries = signal<readonly Entry[]>([]);

export const isConnected = signal(false);

/** True if the service has an activity stream. Otherwise, `observe` fills the feed. */
export const hasStream = signal(false);

type Listener = (dog: string) => void;

const listeners = new Set<Listener>();
const changedDogs = new Set<string>();
const collected: Entry[] = [];
const snapshots = new Map<string, Snapshot>();
let isWaiting = false;

/**
 * Calls the listener soon after the stream reports something about a dog, but only once per dog within `collectMs`.
 *
 * @returns a function that removes the listener
 */
export function onDogActivity(listener: Listener): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/**
 * Receives the activities from a stream. Disconnects while the page is hidden, because a browser opens only six connections to a
 * server. The browser itself restores lost connections.
 *
 * @param onLive called once per connection, after the stream has sent its past activities. The listeners of `onDogActivity` are
 *   called only for later ones
 * @returns a function that disconnects and empties the feed
 */
export function connect(path: string, onLive: () => void): () => void {
  let source: EventSource | undefined;
  const disconnect = () => {
    source?.close();
    isConnected.value = false;
  };
  const open = () => {
    disconnect();
    if (document.hidden || !hasStream.value) return;
    const opened = new EventSource(path);
    source = opened;
    let isLive = false;
    opened.onopen = () => {
      isLive = false;
      isConnected.value = true;
    };
    opened.onerror = () => {
      isConnected.value = false;
      // `CLOSED` means that the service responds, but has no stream at this path.
      if (opened.readyState === EventSource.CLOSED) hasStream.value = false;
    };
    opened.onmessage = ({ data }) => receive(JSON.parse(data), isLive);
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
    clear();
  };
}

/** Derives entries from the changes since the last call for this dog. Adds none if the service has an activity stream. */
export function observe(snapshot: Snapshot): void {
  const { id } = snapshot.dog;
  const before = snapshots.get(id);
  const { barks = before?.barks } = snapshot;
  const after = { dog: snapshot.dog, ...(barks && { barks }) };
  snapshots.set(id, after);
  if (before && !hasStream.value) add(changes(before, after, seconds(Date.now())));
}

export function clear(): void {
  entries.value = [];
  collected.length = 0;
  snapshots.clear();
}

/** Collects activities that arrive together, because each change to `entries` renders the feed. */
function receive(activity: LocalActivity, isLive: boolean): void {
  const entry = entryOf(activity);
  if (entry) collected.push(entry);
  const dog = dogOf(activity);
  if (dog !== undefined && isLive) changedDogs.add(dog);
  if (!isWaiting) setTimeout(deliver, collectMs);
  isWaiting = true;
}

function deliver(): void {
  isWaiting = false;
  add(collected.splice(0));
  const dogs = [...changedDogs];
  changedDogs.clear();
  for (const dog of dogs) for (const listener of listeners) listener(dog);
}

function add(added: readonly Entry[]): void {
  if (added.length > 0) entries.value = merged(entries.value, added);
}

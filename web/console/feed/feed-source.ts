import { signal } from '@preact/signals';
import { seconds } from '../../shared/time.ts';
import { changes, type Snapshot } from './derived.ts';
import { type Entry, merged } from './feed.ts';
import { dogOf, entryOf, type LocalActivity } from './local-activity.ts';

/** The time for which the feed collects the activities of a dog before it calls the listeners. */
const collectMs = 100;

/** The entries of the feed, newest first. */
export const entries = signal<readonly Entry[]>([]);

/** True while the feed receives the activities of all dogs. */
export const isConnected = signal(false);

/** True if the service has an activity stream. Otherwise, `observe` fills the feed. */
export const hasStream = signal(false);

type Listener = (dog: string) => void;

const listeners = new Set<Listener>();
const changedDogs = new Set<string>();
const snapshots = new Map<string, Snapshot>();
let isWaiting = false;

/**
 * Calls a listener soon after something happens to a dog, at most once in 100 ms.
 *
 * @returns a function that removes the listener
 */
export function onDogActivity(listener: Listener): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/**
 * Receives the activities from a stream. Disconnects while the page is hidden, because a browser opens only six connections to a
 * service. The browser connects again by itself if the connection is lost.
 *
 * @param path the path of the stream
 * @returns a function that disconnects and empties the feed
 */
export function connect(path: string): () => void {
  let source: EventSource | undefined;
  let last = '';
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
      isConnected.value = true;
    };
    opened.onerror = () => {
      isConnected.value = false;
      // The service responds, but has no stream at this path.
      if (opened.readyState === EventSource.CLOSED) hasStream.value = false;
    };
    opened.onmessage = ({ data }) => {
      const activity: LocalActivity = JSON.parse(data);
      receive(activity, activity.time > last);
      if (activity.time > last) last = activity.time;
    };
  };
  // The page has just loaded its data, so only later activities concern the listeners.
  last = new Date().toISOString();
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

/** Derives entries from a dog that the console has just read. Does nothing if the service has an activity stream. */
export function observe(snapshot: Snapshot): void {
  const { id } = snapshot.dog;
  const before = snapshots.get(id);
  const { barks = before?.barks } = snapshot;
  const after = { dog: snapshot.dog, ...(barks && { barks }) };
  snapshots.set(id, after);
  if (before && !hasStream.value) add(changes(before, after, seconds(Date.now())));
}

/** Removes all entries, for example after the user has signed out. */
export function clear(): void {
  entries.value = [];
  snapshots.clear();
}

function receive(activity: LocalActivity, isNew: boolean): void {
  const entry = entryOf(activity);
  if (entry) add([entry]);
  const dog = dogOf(activity);
  if (dog === undefined || !isNew) return;
  changedDogs.add(dog);
  if (!isWaiting) setTimeout(callListeners, collectMs);
  isWaiting = true;
}

function callListeners(): void {
  isWaiting = false;
  const dogs = [...changedDogs];
  changedDogs.clear();
  for (const dog of dogs) for (const listener of listeners) listener(dog);
}

function add(added: readonly Entry[]): void {
  if (added.length > 0) entries.value = merged(entries.value, added);
}

import { batch, signal } from '@preact/signals';
import type { Dog, DogList, ListedDog } from '../../../client/index.ts';
import { documentOf, problemOf } from '../../shared/http/exchange.ts';
import { get, listDogs, pathOf } from '../../shared/http/requests.ts';
import { nextPathOf } from '../pagination.ts';
import { send } from '../send.ts';
import { succeeded } from '../succeeded.ts';

/** The dogs that the console has read, by ID. */
export const dogs = signal<ReadonlyMap<string, ListedDog>>(new Map());

export interface ListState {
  readonly isLoading: boolean;
  /** Why the last read failed, if it did. */
  readonly problem?: string;
  /** True if the service has more dogs than the console reads. */
  readonly isPartial?: boolean;
}

export const listState = signal<ListState>({ isLoading: true });

/** How many pages of 100 dogs the console reads. */
const maxPages = 10;

/** The ID of the load in progress. Another load or a reset cancels the load. */
let currentLoad = 0;

/** Reads the list, and then removes the dogs that were not found. */
export async function loadDogs(): Promise<void> {
  currentLoad += 1;
  const load = currentLoad;
  const before = dogs.peek();
  const found = new Set<string>();
  let next: string | undefined = listDogs().path;
  listState.value = { isLoading: true };
  for (let page = 0; page < maxPages && next !== undefined; page++) {
    const exchange = await send(get(next));
    if (load !== currentLoad) return;
    if (!succeeded(exchange)) {
      listState.value = { isLoading: false, problem: problemOf(exchange).detail };
      return;
    }
    const listed = documentOf<DogList>(exchange).dogs;
    for (const { id } of listed) found.add(id);
    dogs.value = new Map([...dogs.peek(), ...listed.map((dog) => [dog.id, dog] as const)]);
    next = nextPathOf(exchange);
  }
  listState.value = { isLoading: false, isPartial: next !== undefined };
  // Keeps the dogs that another client created during the load.
  if (next === undefined) dogs.value = dogsWhere((id, dog) => found.has(id) || before.get(id) !== dog);
}

function dogsWhere(isKept: (id: string, dog: ListedDog) => boolean): ReadonlyMap<string, ListedDog> {
  return new Map([...dogs.peek()].filter(([id, dog]) => isKept(id, dog)));
}

export function updateListedDog(dog: ListedDog): void {
  dogs.value = new Map([...dogs.peek(), [dog.id, dog]]);
}

export function removeListedDog(id: string): void {
  dogs.value = dogsWhere((known) => known !== id);
}

/** Reads a dog that has changed, and updates or removes its entry. Does nothing while the page is hidden. */
export async function readListedDog(id: string): Promise<void> {
  if (document.hidden) return;
  const exchange = await send(get(pathOf(id)));
  if (exchange.response?.status === 200) updateListedDog(documentOf<Dog>(exchange));
  if (exchange.response?.status === 404) removeListedDog(id);
}

/** Forgets the dogs, and cancels a load that is in progress. */
export function resetDogs(): void {
  currentLoad += 1;
  batch(() => {
    dogs.value = new Map();
    listState.value = { isLoading: true };
  });
}

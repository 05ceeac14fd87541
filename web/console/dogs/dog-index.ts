import { batch, signal } from '@preact/signals';
import type { Dog, DogList, ListedDog } from '../../../client/index.ts';
import { documentOf, headerOf, problemOf, succeeded } from '../../shared/http/exchange.ts';
import { nextUrlOf } from '../../shared/http/pagination.ts';
import { get, listDogs, pathOf } from '../../shared/http/requests.ts';
import { pathIn } from '../../shared/service.ts';
import { send } from '../../shared/session.ts';

/** The dogs that the console has read, by ID. */
export const dogs = signal<ReadonlyMap<string, ListedDog>>(new Map());

export interface ListState {
  readonly isLoading: boolean;
  /** Why the last read failed, if it did. */
  readonly problem?: string;
  /** The path of the next page. Absent if the console has read all dogs. */
  readonly next?: string;
}

export const listState = signal<ListState>({ isLoading: true });

/** How many pages of 100 dogs the console reads before the user must ask for more. */
const pagesPerLoad = 10;

/** The ID of the load in progress. Another load or a reset cancels the load. */
let currentLoad = 0;

/** Reads the list from its beginning, and then removes the dogs that were not found. */
export async function loadDogs(): Promise<void> {
  const before = dogs.peek();
  const found = new Set<string>();
  const isComplete = await readPages(undefined, (id) => found.add(id));
  // Keeps the dogs that another client created during the load.
  if (isComplete) dogs.value = dogsWhere((id, dog) => found.has(id) || before.get(id) !== dog);
}

function dogsWhere(isKept: (id: string, dog: ListedDog) => boolean): ReadonlyMap<string, ListedDog> {
  return new Map([...dogs.peek()].filter(([id, dog]) => isKept(id, dog)));
}

export async function loadMoreDogs(): Promise<void> {
  await readPages(listState.peek().next, () => {});
}

/** @returns true if there are no more pages */
async function readPages(first: string | undefined, onDog: (id: string) => void): Promise<boolean> {
  currentLoad += 1;
  const load = currentLoad;
  let next = first;
  listState.value = { isLoading: true, ...(next !== undefined && { next }) };
  for (let page = 0; page < pagesPerLoad; page++) {
    const exchange = await send(next === undefined ? listDogs() : get(next));
    if (load !== currentLoad) return false;
    const rest = next === undefined ? {} : { next };
    if (!succeeded(exchange)) {
      listState.value = { isLoading: false, problem: problemOf(exchange).detail, ...rest };
      return false;
    }
    const listed = documentOf<DogList>(exchange).dogs;
    const url = nextUrlOf(headerOf(exchange, 'link'));
    next = url === undefined ? undefined : pathIn(url);
    for (const { id } of listed) onDog(id);
    dogs.value = new Map([...dogs.peek(), ...listed.map((dog) => [dog.id, dog] as const)]);
    if (next === undefined) break;
  }
  listState.value = { isLoading: false, ...(next !== undefined && { next }) };
  return next === undefined;
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

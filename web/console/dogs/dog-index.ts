import type { Dog, DogList } from '../../../client/index.ts';
import { documentOf, headerOf, problemOf, succeeded } from '../../shared/http/exchange.ts';
import { nextUrlOf } from '../../shared/http/pagination.ts';
import { get, listDogs, pathOf } from '../../shared/http/requests.ts';
import { pathIn } from '../../shared/service.ts';
import { send } from '../../shared/session.ts';
import { DogCollection, type DogPage } from './dog-collection.ts';

export const dogs = new DogCollection(readPage);

async function readPage(path: string | undefined): Promise<DogPage> {
  const request = path === undefined ? listDogs() : get(path);
  const exchange = await send(request, { isBackground: true });
  if (!succeeded(exchange)) return { problem: problemOf(exchange).detail };
  const next = nextUrlOf(headerOf(exchange, 'link'));
  return { dogs: documentOf<DogList>(exchange).dogs, ...(next !== undefined && { next: pathIn(next) }) };
}

export function loadDogs(): Promise<boolean> {
  return dogs.load();
}

/** Reads a dog that has changed, and updates or removes its entry. Does nothing while the page is hidden. */
export async function readListedDog(id: string): Promise<void> {
  if (document.hidden) return;
  const update = dogs.beginUpdate(id);
  const exchange = await send(get(pathOf(id)), { isBackground: true });
  if (exchange.response?.status === 200) update(documentOf<Dog>(exchange));
  if (exchange.response?.status === 404) dogs.remove(id);
}

export function resetDogs(): void {
  dogs.reset();
}

import type { DogList } from '../../../client/index.ts';
import { documentOf, headerOf, succeeded } from '../http/exchange.ts';
import { nextOf } from '../http/pagination.ts';
import { get, listDogs } from '../http/requests.ts';
import { credentials, send } from '../session.ts';

/** The largest number of pages that `fetchDogIds` reads. A page has 100 dogs. */
const maxPages = 10;

/** Reads the IDs of the dogs. Returns an empty list if no user is signed in, and the IDs before a page that it cannot read. */
export async function fetchDogIds(): Promise<string[]> {
  const ids = new Set<string>();
  let request = credentials.value && listDogs();
  for (let page = 0; page < maxPages && request; page++) {
    const exchange = await send(request, { isBackground: true });
    if (!succeeded(exchange)) break;
    for (const { id } of documentOf<DogList>(exchange).dogs) ids.add(id);
    const next = nextOf(headerOf(exchange, 'link'));
    request = next === undefined ? undefined : get(next);
  }
  return [...ids];
}

import type { ListedDog } from '../../../../client/index.ts';
import { dogId as contractDogId } from '../../../../lambdas/contract/dog-id.ts';
import { DogCollection, type DogPage } from '../../../../web/console/dogs/dog-collection.ts';
import { dogId } from '../../../../web/console/dogs/dog-id.ts';

function dogOf(id: string, barkCount = 0): ListedDog {
  return { id, barkCount, barkEffects: ['count'], barkHandling: 'sync' };
}

/** Returns the IDs `dog-0` to `dog-<count - 1>`, in unsorted order. */
function unsortedIds(count: number): string[] {
  return Array.from({ length: count }, (_, i) => `dog-${(i * 7) % count}`);
}

/** Returns a service with a list of dogs in pages of 100, whose paths are offsets, and a collection that reads the list. */
function collectionOf(ids: readonly string[]) {
  const service = {
    ids,
    requests: [] as (string | undefined)[],
    problem: undefined as string | undefined,
    beforeResponse(_path: string | undefined): void {},
  };
  const dogs = new DogCollection(async (path): Promise<DogPage> => {
    service.requests.push(path);
    const start = Number(path ?? 0);
    const page = service.ids.slice(start, start + 100).map((id) => dogOf(id));
    const hasNext = start + 100 < service.ids.length;
    await Promise.resolve();
    service.beforeResponse(path);
    if (service.problem !== undefined) return { problem: service.problem };
    return { dogs: page, ...(hasNext && { next: String(start + 100) }) };
  });
  return { service, dogs };
}

async function loaded(ids: readonly string[]) {
  const collection = collectionOf(ids);
  await collection.dogs.load();
  return collection;
}

describe('a collection of dogs', () => {
  test.each([
    { count: 0, requests: 1, rows: 0, pageCount: 1, total: 0 },
    { count: 1, requests: 1, rows: 1, pageCount: 1, total: 1 },
    { count: 250, requests: 3, rows: 50, pageCount: 5, total: 250 },
    { count: 1_500, requests: 10, rows: 50, pageCount: 20, total: 1_000 },
  ])(
    'reads at most 1,000 of $count dogs, and the others on request',
    async ({ count, requests, rows, ...view }) => {
      const { service, dogs } = collectionOf(unsortedIds(count));
      const loading = dogs.load();
      expect(dogs.status).toBe('loading');
      expect(await loading).toBe(true);
      expect(dogs.status).toBe('loaded');
      expect(service.requests).toHaveLength(requests);
      expect(dogs.view()).toMatchObject({ ...view, matching: view.total, page: 0, rows: { length: rows } });
      expect(dogs.hasMore).toBe(count > 1_000);
      if (dogs.hasMore) await dogs.loadMore();
      expect(dogs.hasMore).toBe(false);
      // A further load reads as many dogs as before.
      service.requests.length = 0;
      await dogs.load();
      expect(service.requests).toHaveLength(Math.ceil(Math.max(1, count) / 100));
      expect(dogs.view().total).toBe(count);
    },
  );

  test.each([
    ['dog-10 rex dog-9 Max anna', 'anna dog-9 dog-10 Max rex'],
    // The numbers are equal.
    ['dog-1 dog-01', 'dog-01 dog-1'],
    ['dog-01 dog-1', 'dog-01 dog-1'],
  ])('sorts %s, with the numbers in them by value', async (ids, sorted) => {
    const { dogs } = await loaded(ids.split(' '));
    expect(dogs.ids.join(' ')).toBe(sorted);
  });

  describe('when the list changes', () => {
    test('has each dog once, even if a page repeats a dog', async () => {
      const { service, dogs } = collectionOf(unsortedIds(250));
      service.beforeResponse = (path) => {
        if (path === undefined) service.ids = ['new', ...service.ids];
      };
      await dogs.load();
      expect(dogs.ids).toHaveLength(250);
      expect(new Set(dogs.ids).size).toBe(250);
    });

    test('keeps the dogs during a load, and then removes those that the load does not return', async () => {
      const { service, dogs } = await loaded(['anna', 'max', 'rex']);
      service.ids = ['anna', 'rex', 'zoe'];
      const again = dogs.load();
      expect(dogs.ids).toEqual(['anna', 'max', 'rex']);
      await again;
      expect(dogs.ids).toEqual(['anna', 'rex', 'zoe']);
    });

    test('keeps an update and a removal that are newer than the request for the page', async () => {
      const { service, dogs } = collectionOf(['anna', 'rex']);
      service.beforeResponse = () => {
        dogs.beginUpdate('rex')(dogOf('rex', 7));
        dogs.beginUpdate('max')(dogOf('max'));
        dogs.remove('anna');
      };
      await dogs.load();
      expect(dogs.view().rows).toEqual([dogOf('max'), dogOf('rex', 7)]);
    });

    test('ignores a response about a dog that it has removed since the request', async () => {
      const { dogs } = await loaded(['anna', 'rex']);
      const late = dogs.beginUpdate('anna');
      dogs.remove('anna');
      late(dogOf('anna'));
      expect(dogs.ids).toEqual(['rex']);
      dogs.beginUpdate('anna')(dogOf('anna'));
      expect(dogs.ids).toEqual(['anna', 'rex']);
    });
  });

  test('shows the first page of the dogs whose ID contains the filter, in any case', async () => {
    const { dogs } = await loaded([...unsortedIds(250), 'My-Dog-1']);
    dogs.setPage(4);
    dogs.setFilter(' dOg-1 ');
    expect(dogs.view()).toMatchObject({ page: 0, pageCount: 3, matching: 112, total: 251 });
    expect(dogs.view('dog-199')).toMatchObject({ page: 0 });
    dogs.setFilter('');
    expect(dogs.view()).toMatchObject({ page: 0, pageCount: 6, matching: 251 });
  });

  describe('with an open dog', () => {
    test('shows the page with the dog, until the user chooses another page', async () => {
      const { dogs } = await loaded(unsortedIds(250));
      expect(dogs.view('dog-120')).toMatchObject({ page: 2 });
      expect(dogs.view('dog-120').pinned).toBeUndefined();
      dogs.setPage(0);
      expect(dogs.view('dog-120')).toMatchObject({ page: 0, pinned: dogOf('dog-120') });
      dogs.setPage(undefined);
      expect(dogs.view('dog-200')).toMatchObject({ page: 4 });
    });

    test('pins the dog if it does not match the filter', async () => {
      const { dogs } = await loaded(['anna', 'rex']);
      dogs.setFilter('anna');
      expect(dogs.view('rex')).toMatchObject({ matching: 1, pinned: dogOf('rex') });
      expect(dogs.view('anna').pinned).toBeUndefined();
      expect(dogs.view('unknown').pinned).toBeUndefined();
    });

    test('shows the last page if the chosen page no longer exists', async () => {
      const { dogs } = await loaded(unsortedIds(101));
      dogs.setPage(2);
      dogs.remove('dog-3');
      expect(dogs.view()).toMatchObject({ page: 1, pageCount: 2 });
    });
  });

  test('keeps the dogs that it has read if a page cannot be read, and continues with the page on retry', async () => {
    const { service, dogs } = collectionOf(unsortedIds(250));
    service.beforeResponse = (path) => {
      service.problem = path === '100' ? 'Too many requests.' : undefined;
    };
    expect(await dogs.load()).toBe(false);
    expect([dogs.status, dogs.problem]).toEqual(['failed', 'Too many requests.']);
    expect(dogs.view().total).toBe(100);
    service.beforeResponse = () => {};
    service.problem = undefined;
    expect(await dogs.retry()).toBe(true);
    expect(dogs.status).toBe('loaded');
    expect(dogs.view().total).toBe(250);
    expect(service.requests).toEqual([undefined, '100', '100', '200']);
  });

  test('forgets the dogs on reset, and ignores the response to a request in progress', async () => {
    const { service, dogs } = collectionOf(unsortedIds(250));
    dogs.setFilter('dog');
    service.beforeResponse = (path) => {
      if (path === '100') dogs.reset();
    };
    await dogs.load();
    expect(service.requests).toEqual([undefined, '100']);
    expect(dogs.view()).toMatchObject({ total: 0, rows: [] });
    expect(dogs.filter).toBe('');
    expect(dogs.status).toBe('idle');
  });

  test('ignores the responses to a load after another load has begun', async () => {
    const { service, dogs } = collectionOf(['anna', 'old']);
    const first = dogs.load();
    service.ids = ['anna'];
    await Promise.all([first, dogs.load()]);
    expect(dogs.ids).toEqual(['anna']);
    expect(dogs.status).toBe('loaded');
  });
});

test('dogId is the pattern of the service', () => {
  expect(dogId).toEqual(contractDogId);
});

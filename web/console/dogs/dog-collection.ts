import { batch, computed, signal } from '@preact/signals';
import type { ListedDog } from '../../../client/index.ts';

export type DogPage =
  | { readonly dogs: readonly ListedDog[]; readonly next?: string }
  | { readonly problem: string };

/** @param path undefined for the first page */
export type ReadPage = (path: string | undefined) => Promise<DogPage>;

export interface DogListView {
  readonly rows: readonly ListedDog[];
  /** The open dog, if it is in the collection but not in `rows`. */
  readonly pinned?: ListedDog;
  /** Zero-based. */
  readonly page: number;
  readonly pageCount: number;
  readonly matching: number;
  readonly total: number;
}

/** How many pages of 100 dogs the collection reads before the user must ask for more. */
const pagesPerLoad = 10;

const rowsPerPage = 50;

const collator = new Intl.Collator('en', { numeric: true });

/**
 * The service's dogs, sorted by ID, with a filter and pages. The service returns dogs in no particular order, and may return
 * a dog twice if the list changes between two requests.
 */
export class DogCollection {
  private readonly dogs = signal<ReadonlyMap<string, ListedDog>>(new Map());
  private readonly currentFilter = signal('');
  /** Undefined for the page with the open dog. */
  private readonly chosenPage = signal<number>();
  private readonly currentStatus = signal<'idle' | 'loading' | 'loaded' | 'failed'>('idle');
  private readonly currentProblem = signal('');
  private readonly isIncomplete = signal(false);

  private readonly readPage: ReadPage;
  /** The IDs of the dogs found since the current load began. */
  private seen = new Set<string>();
  /** The IDs of the dogs that have changed since the collection requested the current page. */
  private readonly changed = new Set<string>();
  /** How many times each dog was removed, by ID. */
  private readonly removals = new Map<string, number>();
  private next: string | undefined;
  private pagesLeft = 0;
  private reading = new AbortController();

  constructor(readPage: ReadPage) {
    this.readPage = readPage;
  }

  private readonly sorted = computed(() =>
    [...this.dogs.value.values()].sort((a, b) => collator.compare(a.id, b.id) || (a.id < b.id ? -1 : 1)),
  );

  private readonly matching = computed(() => {
    const text = this.filter.toLowerCase();
    return this.sorted.value.filter(({ id }) => id.toLowerCase().includes(text));
  });

  /** Sorted. */
  get ids(): string[] {
    return this.sorted.value.map(({ id }) => id);
  }

  get status(): 'idle' | 'loading' | 'loaded' | 'failed' {
    return this.currentStatus.value;
  }

  /** The reason for the failure, if the status is `failed`. */
  get problem(): string {
    return this.currentProblem.value;
  }

  /** True if the service has more dogs than the collection has read. */
  get hasMore(): boolean {
    return this.isIncomplete.value;
  }

  /** Without surrounding spaces. */
  get filter(): string {
    return this.currentFilter.value;
  }

  /** Shows only the dogs whose ID contains the text, ignoring case. */
  setFilter(text: string): void {
    const filter = text.trim();
    batch(() => {
      this.currentFilter.value = filter;
      this.chosenPage.value = filter === '' ? undefined : 0;
    });
  }

  /** @param page zero-based, or undefined for the page with the open dog */
  setPage(page: number | undefined): void {
    this.chosenPage.value = page;
  }

  /** @param open the ID of the open dog */
  view(open?: string): DogListView {
    const matching = this.matching.value;
    const pageCount = Math.max(1, Math.ceil(matching.length / rowsPerPage));
    const openIndex = matching.findIndex(({ id }) => id === open);
    const wanted = this.chosenPage.value ?? Math.max(0, Math.floor(openIndex / rowsPerPage));
    const page = Math.min(wanted, pageCount - 1);
    const start = page * rowsPerPage;
    const rows = matching.slice(start, start + rowsPerPage);
    const pinned = open !== undefined && !rows.some(({ id }) => id === open) && this.dogs.value.get(open);
    return {
      rows,
      ...(pinned && { pinned }),
      page,
      pageCount,
      matching: matching.length,
      total: this.dogs.value.size,
    };
  }

  /**
   * Reads the list from its beginning, and updates the dogs page by page. At the end of the list, removes the dogs that
   * were not found. Cancels a load that is in progress.
   *
   * @returns false if a page could not be read. True if the load finished or was cancelled
   */
  load(): Promise<boolean> {
    this.seen = new Set();
    this.next = undefined;
    // A repeated load reads at least as many pages as the loads before it.
    this.pagesLeft = Math.max(pagesPerLoad, Math.ceil(this.dogs.value.size / 100));
    return this.read();
  }

  loadMore(): Promise<boolean> {
    this.pagesLeft = pagesPerLoad;
    return this.read();
  }

  /** Continues a load that has failed. */
  retry(): Promise<boolean> {
    return this.read();
  }

  private async read(): Promise<boolean> {
    this.reading.abort();
    this.reading = new AbortController();
    const { signal: cancelled } = this.reading;
    this.currentStatus.value = 'loading';
    do {
      this.changed.clear();
      const page = await this.readPage(this.next);
      if (cancelled.aborted) return true;
      if ('problem' in page) {
        batch(() => {
          this.currentProblem.value = page.problem;
          this.currentStatus.value = 'failed';
        });
        return false;
      }
      this.pagesLeft -= 1;
      this.next = page.next;
      this.add(page.dogs);
    } while (this.next !== undefined && this.pagesLeft > 0);
    batch(() => {
      this.isIncomplete.value = this.next !== undefined;
      if (!this.hasMore) this.dogs.value = new Map([...this.dogs.value].filter(([id]) => this.seen.has(id)));
      this.currentStatus.value = 'loaded';
    });
    return true;
  }

  /** Adds a page, except the dogs that have changed since the collection requested it. */
  private add(dogs: readonly ListedDog[]): void {
    const current = dogs.filter(({ id }) => !this.changed.has(id));
    for (const { id } of current) this.seen.add(id);
    this.dogs.value = new Map([...this.dogs.value, ...current.map((dog) => [dog.id, dog] as const)]);
  }

  private update(dog: ListedDog): void {
    this.changed.add(dog.id);
    this.seen.add(dog.id);
    this.dogs.value = new Map([...this.dogs.value, [dog.id, dog]]);
  }

  /**
   * Call this before reading a dog. The returned function adds the dog in the response, or updates its entry, unless `remove`
   * was called for the dog in between.
   */
  beginUpdate(id: string): (dog: ListedDog) => void {
    const removals = this.removals.get(id);
    return (dog) => {
      if (this.removals.get(id) === removals) this.update(dog);
    };
  }

  /** Removes a dog, and discards updates to it that have begun. */
  remove(id: string): void {
    this.changed.add(id);
    this.removals.set(id, (this.removals.get(id) ?? 0) + 1);
    this.dogs.value = new Map([...this.dogs.value].filter(([known]) => known !== id));
  }

  /** Forgets the dogs and the filter. Cancels a load that is in progress. */
  reset(): void {
    this.reading.abort();
    batch(() => {
      this.dogs.value = new Map();
      this.isIncomplete.value = false;
      this.currentStatus.value = 'idle';
      this.setFilter('');
    });
  }
}

import { useEffect, useRef } from 'preact/hooks';
import type { ListedDog } from '../../../client/index.ts';
import { counted } from '../../shared/counted.ts';
import { Alert } from '../../shared/ui/Alert.tsx';
import { Button } from '../../shared/ui/Button.tsx';
import { dogAddress } from '../routes.ts';
import { dogId } from './dog-id.ts';
import { dogs } from './dog-index.ts';
import { countOf } from './words.ts';

interface DogListProps {
  /** The ID of the open dog. */
  readonly current: string | undefined;
}

export function DogList({ current }: DogListProps) {
  const { rows, pinned, page, pageCount, matching, total } = dogs.view(current);
  const { filter, status, hasMore } = dogs;

  // When the user opens a dog, the list shows the page that contains the dog.
  useEffect(() => dogs.setPage(undefined), [current]);

  const list = useRef<HTMLUListElement>(null);
  const isShown = rows.some(({ id }) => id === current);
  // The open dog moves when dogs that sort before it load later.
  useEffect(() => {
    if (isShown) showOpenDog(list.current);
  }, [current, isShown, page, status]);

  return (
    <nav class="dog-list" aria-label="Dogs">
      <div class="row spread">
        <h2>Dogs</h2>
        <a class="button" href="#new">
          New dog
        </a>
      </div>
      <input
        type="search"
        aria-label="Filter the dogs by ID"
        placeholder="Filter by ID"
        autocomplete="off"
        autocapitalize="off"
        spellcheck={false}
        value={filter}
        onInput={({ currentTarget }) => dogs.setFilter(currentTarget.value)}
      />
      <div class="row spread">
        <p class="hint" role="status">
          {extentOf(matching, total, filter)}
          {status === 'loading' && (total === 0 ? 'Loading the dogs …' : ', loading …')}
        </p>
        {pageCount > 1 && <Pages page={page} pageCount={pageCount} />}
      </div>
      {status === 'failed' && (
        <Alert kind="bad">
          <p>{dogs.problem}</p>
          <Button kind="small" onClick={() => void dogs.retry()}>
            Try again
          </Button>
        </Alert>
      )}
      {pinned && (
        <ul class="dogs pinned" aria-label="Open dog">
          <DogItem dog={pinned} isOpen />
        </ul>
      )}
      {rows.length > 0 && (
        // The key makes each page a new element, which starts scrolled to the top.
        <ul key={page} ref={list} class="dogs" aria-label="All dogs">
          {rows.map((dog) => (
            <DogItem key={dog.id} dog={dog} isOpen={dog.id === current} />
          ))}
        </ul>
      )}
      {status === 'loaded' && total === 0 && filter === '' && (
        <p>
          There are no dogs. <a href="#new">Create one</a>.
        </p>
      )}
      {status !== 'loading' && rows.length === 0 && filter !== '' && (
        <p>
          No dog matches “{filter}”.
          {dogId.test(filter) && (
            <>
              {' '}
              <a href={`#new?id=${encodeURIComponent(filter)}`}>Create “{filter}”</a>
            </>
          )}
        </p>
      )}
      {hasMore && (
        <div class="more">
          <p class="hint">The service has more dogs.</p>
          <Button isBusy={status === 'loading'} onClick={() => void dogs.loadMore()}>
            Load more
          </Button>
        </div>
      )}
    </nav>
  );
}

/** Scrolls the list, but not the page, if the open dog is out of view. */
function showOpenDog(list: HTMLElement | null): void {
  const item = list?.querySelector('[aria-current]')?.parentElement;
  if (!list || !item) return;
  const isVisible =
    item.offsetTop >= list.scrollTop &&
    item.offsetTop + item.offsetHeight <= list.scrollTop + list.clientHeight;
  if (!isVisible) list.scrollTop = item.offsetTop - list.clientHeight / 2;
}

/** Returns text such as "37 of 240 dogs". */
function extentOf(matching: number, total: number, filter: string): string {
  if (total === 0) return '';
  const all = counted(total, 'dog');
  return filter === '' ? all : `${matching.toLocaleString('en')} of ${all}`;
}

function Pages({ page, pageCount }: { readonly page: number; readonly pageCount: number }) {
  // A button with `disabled` would lose focus.
  const button = (label: string, sign: string, to: number) => (
    <button
      type="button"
      class="quiet page-button"
      aria-label={label}
      aria-disabled={to < 0 || to >= pageCount || undefined}
      onClick={() => dogs.setPage(Math.min(Math.max(to, 0), pageCount - 1))}
    >
      {sign}
    </button>
  );
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset is for fields
    <div class="pages" role="group" aria-label="Pages of the list">
      {button('Previous page', '‹', page - 1)}
      <span class="hint">
        <span class="visually-hidden">Page </span>
        {page + 1} of {pageCount}
      </span>
      {button('Next page', '›', page + 1)}
    </div>
  );
}

interface DogItemProps {
  readonly dog: ListedDog;
  readonly isOpen: boolean;
}

function DogItem({ dog, isOpen }: DogItemProps) {
  const { id } = dog;
  return (
    <li>
      <a href={dogAddress(id)} data-dog={id} aria-current={isOpen ? 'page' : undefined}>
        <strong>{id}</strong>
        <span class="count">{countOf(dog)}</span>
      </a>
    </li>
  );
}

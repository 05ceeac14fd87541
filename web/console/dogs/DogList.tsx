import { useEffect, useRef, useState } from 'preact/hooks';
import { dogId } from '../../../lambdas/contract/dog-id.ts';
import { counted } from '../../shared/counted.ts';
import { Alert } from '../../shared/ui/Alert.tsx';
import { Button } from '../../shared/ui/Button.tsx';
import { dogAddress } from '../routes.ts';
import { dogs, listState, loadDogs } from './dog-index.ts';
import { countOf } from './words.ts';

const collator = new Intl.Collator('en', { numeric: true });

/** @param current the ID of the open dog */
export function DogList({ current }: { readonly current: string | undefined }) {
  const [text, setText] = useState('');
  const filter = text.trim();
  const { isLoading, problem, isPartial } = listState.value;
  const total = dogs.value.size;
  const shown = [...dogs.value.values()]
    .filter(({ id }) => id.toLowerCase().includes(filter.toLowerCase()))
    .sort((a, b) => collator.compare(a.id, b.id));

  const list = useRef<HTMLUListElement>(null);
  // Opening a dog and loading others move its entry. Scrolls the list, but not the page.
  useEffect(() => {
    const entry = list.current?.querySelector('[aria-current]')?.parentElement;
    if (list.current && entry) list.current.scrollTop = entry.offsetTop - list.current.clientHeight / 2;
  }, [current, isLoading]);

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
        value={text}
        onInput={({ currentTarget }) => setText(currentTarget.value)}
      />
      <p class="hint" role="status">
        {isLoading && total === 0 && 'Loading the dogs …'}
        {total > 0 && (filter === '' ? counted(total, 'dog') : `${shown.length} of ${counted(total, 'dog')}`)}
      </p>
      {problem !== undefined && (
        <Alert kind="bad">
          <p>{problem}</p>
          <Button kind="small" onClick={() => void loadDogs()}>
            Try again
          </Button>
        </Alert>
      )}
      {shown.length > 0 && (
        <ul ref={list} class="dogs" aria-label="All dogs">
          {shown.map((dog) => (
            <li key={dog.id}>
              <a
                href={dogAddress(dog.id)}
                data-dog={dog.id}
                aria-current={dog.id === current ? 'page' : undefined}
              >
                <strong>{dog.id}</strong>
                <span class="count">{countOf(dog)}</span>
              </a>
            </li>
          ))}
        </ul>
      )}
      {!isLoading && shown.length === 0 && problem === undefined && (
        <p>
          {filter === '' ? 'There are no dogs.' : `No dog matches “${filter}”.`}{' '}
          {dogId.test(filter) && <a href={dogAddress(filter)}>Open “{filter}”</a>}
        </p>
      )}
      {isPartial && <p class="hint">The service has more dogs. To open one, enter its ID above.</p>}
    </nav>
  );
}

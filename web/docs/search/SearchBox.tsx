import { useEffect, useMemo, useState } from 'preact/hooks';
import { useUniqueId } from '../../shared/ui/unique-id.ts';
import type { DocumentationIndex } from './documentation-index.ts';
import { Marked } from './Marked.tsx';
import { type Action, resultsOf } from './results.ts';

interface SearchBoxProps {
  readonly actions: readonly Action[];
  readonly loadDogs: () => Promise<readonly string[]>;
  readonly loadIndex: () => Promise<DocumentationIndex>;
  readonly onDog: (id: string) => void;
  readonly onUrl: (url: string) => void;
  readonly onAction: (action: Action) => void;
  readonly onCancel: () => void;
}

/**
 * Focus stays in the field, and the arrow keys move through the results.
 *
 * @see {@link https://www.w3.org/WAI/ARIA/apg/patterns/combobox/ Combobox pattern}
 */
export function SearchBox(props: SearchBoxProps) {
  const { actions, loadDogs, loadIndex, onDog, onUrl, onAction, onCancel } = props;
  const id = useUniqueId();
  const [query, setQuery] = useState('');
  const [active, setActive] = useState(0);
  const [dogs, setDogs] = useState<readonly string[]>([]);
  const [index, setIndex] = useState<DocumentationIndex>();
  const [hasFailed, setFailed] = useState(false);

  useEffect(() => {
    loadDogs().then(setDogs, () => {});
    loadIndex().then(setIndex, () => setFailed(true));
  }, []);

  const groups = useMemo(() => {
    const searchDocumentation = (text: string) => (text === '' ? index?.outline : index?.search(text)) ?? [];
    const commands = actions.map((action) => ({ ...action, run: () => onAction(action) }));
    return resultsOf(query, {
      actions: commands,
      dogs,
      searchDocumentation,
      openDog: onDog,
      openUrl: onUrl,
    });
  }, [query, dogs, index]);
  const results = groups.flatMap((group) => group.results);
  const optionId = (position: number) => `${id}-${position}`;
  const activeId = active < results.length ? optionId(active) : undefined;

  useEffect(() => {
    if (activeId) document.getElementById(activeId)?.scrollIntoView({ block: 'nearest' });
  }, [activeId, groups]);

  const onKeyDown = (event: KeyboardEvent) => {
    // While the user composes text, the input method uses these keys to choose characters.
    if (event.isComposing) return;
    const last = results.length - 1;
    if (event.key === 'ArrowDown') setActive(active >= last ? 0 : active + 1);
    else if (event.key === 'ArrowUp') setActive(active === 0 ? Math.max(last, 0) : active - 1);
    else if (event.key === 'Enter') results[active]?.open();
    else return;
    event.preventDefault();
  };

  let position = 0;
  return (
    <div class="search-box">
      <div class="search-field">
        <input
          type="text"
          role="combobox"
          aria-label="Search"
          aria-autocomplete="list"
          aria-expanded={results.length > 0}
          aria-controls={`${id}-results`}
          aria-activedescendant={activeId}
          autocomplete="off"
          autocapitalize="off"
          spellcheck={false}
          enterkeyhint="go"
          placeholder={dogs.length > 0 ? 'Search the documentation and the dogs' : 'Search the documentation'}
          value={query}
          onInput={({ currentTarget }) => {
            setQuery(currentTarget.value);
            setActive(0);
          }}
          onKeyDown={onKeyDown}
        />
        <button type="button" class="small" onClick={onCancel}>
          Close
        </button>
      </div>
      <div
        role="listbox"
        id={`${id}-results`}
        class="search-results"
        aria-label="Results"
        hidden={results.length === 0}
      >
        {groups.map((group) => (
          // biome-ignore lint/a11y/useSemanticElements: a listbox groups its options with this role
          <div key={group.name} role="group" aria-labelledby={`${id}-${group.name}`}>
            <div id={`${id}-${group.name}`} class="search-group" role="presentation">
              {group.name}
            </div>
            {group.results.map((result) => {
              const own = position++;
              return (
                // biome-ignore lint/a11y/useKeyWithClickEvents: the field handles the keys
                // biome-ignore lint/a11y/useFocusableInteractive: the focus stays in the field
                <div
                  key={own}
                  id={optionId(own)}
                  role="option"
                  aria-selected={own === active}
                  onPointerMove={() => setActive(own)}
                  // Keeps focus in the field.
                  onMouseDown={(event) => event.preventDefault()}
                  onClick={result.open}
                >
                  <span class="search-title">
                    <Marked parts={result.title} />
                  </span>
                  {result.parent && <small>{result.parent}</small>}
                  {result.excerpt && result.excerpt.length > 0 && (
                    <p>
                      <Marked parts={result.excerpt} />
                    </p>
                  )}
                </div>
              );
            })}
          </div>
        ))}
      </div>
      <p class="search-status" role="status">
        {statusOf(query, results.length, index !== undefined, hasFailed)}
      </p>
    </div>
  );
}

function statusOf(query: string, count: number, isLoaded: boolean, hasFailed: boolean): string {
  if (!isLoaded && !hasFailed) return 'Loading the documentation …';
  const text = query.trim();
  const found = count === 1 ? '1 result.' : `${count} results.`;
  const results = text === '' ? '' : count === 0 ? `No results for “${text}”.` : found;
  return hasFailed ? `${results} The documentation is not available.`.trim() : results;
}

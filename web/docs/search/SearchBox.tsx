import { useEffect, useMemo, useState } from 'preact/hooks';
import { useUniqueId } from '../../shared/ui/unique-id.ts';
import { DocumentationIndex } from './documentation-index.ts';
import type { Part } from './marks.ts';
import { documentationIn } from './read-documentation.ts';

const maxResults = 12;

/** The page does not change, so one index is enough. */
let index: DocumentationIndex | undefined;

/**
 * Focus stays in the field, and the arrow keys move through the results.
 *
 * @param onClose closes the dialog, which restores focus
 * @see {@link https://www.w3.org/WAI/ARIA/apg/patterns/combobox/ Combobox pattern}
 */
export function SearchBox({ onClose }: { readonly onClose: () => void }) {
  const id = useUniqueId();
  const [query, setQuery] = useState('');
  const [active, setActive] = useState(0);
  const text = query.trim();
  const results = useMemo(() => {
    index ??= new DocumentationIndex(documentationIn(document));
    return (text === '' ? index.outline : index.search(text)).slice(0, maxResults);
  }, [text]);
  const optionId = (position: number) => `${id}-${position}`;
  const activeId = active < results.length ? optionId(active) : undefined;

  useEffect(() => {
    if (activeId) document.getElementById(activeId)?.scrollIntoView({ block: 'nearest' });
  }, [activeId, results]);

  const open = (position: number) => {
    const result = results[position];
    if (!result) return;
    onClose();
    location.assign(result.url);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    // While the user composes text, the input method uses these keys to choose characters.
    if (event.isComposing) return;
    const last = results.length - 1;
    if (event.key === 'ArrowDown') setActive(active >= last ? 0 : active + 1);
    else if (event.key === 'ArrowUp') setActive(active === 0 ? Math.max(last, 0) : active - 1);
    else if (event.key === 'Enter') open(active);
    else return;
    event.preventDefault();
  };

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
          placeholder="Search the documentation"
          value={query}
          onInput={({ currentTarget }) => {
            setQuery(currentTarget.value);
            setActive(0);
          }}
          onKeyDown={onKeyDown}
        />
        <button type="button" class="small" onClick={onClose}>
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
        {results.map(({ url, title, parent, excerpt }, position) => (
          // biome-ignore lint/a11y/useKeyWithClickEvents: the field handles the keys
          // biome-ignore lint/a11y/useFocusableInteractive: the focus stays in the field
          <div
            key={url}
            id={optionId(position)}
            role="option"
            aria-selected={position === active}
            onPointerMove={() => setActive(position)}
            // Keeps focus in the field.
            onMouseDown={(event) => event.preventDefault()}
            onClick={() => open(position)}
          >
            <span class="search-title">{title.map(marked)}</span>
            {parent && <small>{parent}</small>}
            {excerpt.length > 0 && <p>{excerpt.map(marked)}</p>}
          </div>
        ))}
      </div>
      <p class="search-status" role="status">
        {text !== '' && statusOf(text, results.length)}
      </p>
    </div>
  );
}

function marked({ text, isMatch }: Part) {
  return isMatch ? <mark>{text}</mark> : text;
}

function statusOf(text: string, count: number): string {
  if (count === 0) return `No results for “${text}”.`;
  return count === 1 ? '1 result.' : `${count} results.`;
}

import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { counted } from '../shared/counted.ts';
import { DocumentationIndex, type Section } from './documentation-index.ts';

const maxResults = 12;

/** The page does not change, so one index is enough. */
let index: DocumentationIndex | undefined;

/** A field above the contents. While it has a text, the results replace the contents. */
export function Search() {
  const [query, setQuery] = useState('');
  const field = useRef<HTMLInputElement>(null);
  const text = query.trim();
  const results = useMemo(() => {
    if (text === '') return [];
    index ??= new DocumentationIndex(documentationIn());
    return index.search(text).slice(0, maxResults);
  }, [text]);

  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      const isShortcut = event.key === 'k' && (event.ctrlKey || event.metaKey);
      const isTyping = (event.target as Element).matches('input, select, textarea');
      if (!isShortcut && (event.key !== '/' || isTyping)) return;
      event.preventDefault();
      const contents = field.current?.closest<HTMLElement>('[popover]');
      // A wide window shows the contents without opening them.
      if (!contents?.checkVisibility()) contents?.showPopover();
      field.current?.focus();
    };
    document.addEventListener('keydown', onKeyDown);
    return () => document.removeEventListener('keydown', onKeyDown);
  }, []);

  return (
    <search>
      <input
        ref={field}
        type="search"
        aria-label="Search"
        aria-keyshortcuts="Control+K Meta+K /"
        placeholder="Search: press /"
        autocomplete="off"
        autocapitalize="off"
        spellcheck={false}
        value={query}
        onInput={({ currentTarget }) => setQuery(currentTarget.value)}
      />
      <p class="hint" role="status">
        {text !== '' && counted(results.length, 'result')}
      </p>
      {text !== '' && (
        <ul class="results">
          {results.map(({ id, title, parent }) => (
            <li key={id}>
              <a href={`#${id}`}>
                {title} <small>{parent}</small>
              </a>
            </li>
          ))}
        </ul>
      )}
    </search>
  );
}

/** Each `h1`, `h2` and `h3` with an ID in `main` begins a section. */
function documentationIn(): Section[] {
  const sections: Section[] = [];
  const walker = document.createTreeWalker(document.querySelector('main') ?? document, NodeFilter.SHOW_ALL);
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    if (node instanceof Element && node.matches('h1[id], h2[id], h3[id]')) {
      const { id, tagName, textContent } = node;
      sections.push({ id, level: Number(tagName.slice(1)), title: textContent.trim(), text: '' });
    }
    const last = node instanceof Text && sections.pop();
    if (last) sections.push({ ...last, text: `${last.text} ${node.nodeValue}` });
  }
  return sections;
}

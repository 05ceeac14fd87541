import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { DocumentationIndex, type Section } from './documentation-index.ts';
import type { Action } from './results.ts';
import { SearchBox } from './SearchBox.tsx';
import { opensSearch } from './shortcut.ts';

interface SearchPaletteProps {
  readonly actions: readonly Action[];
  /** The search calls this each time it opens. */
  readonly dogs: () => Promise<readonly string[]> | readonly string[];
  /** The search calls this when it opens, until a call succeeds. */
  readonly documentation: () => Promise<readonly Section[]>;
  readonly onDog: (id: string) => void;
}

const isApple = /Mac|iPhone|iPad/.test(navigator.platform);

export function SearchPalette({ actions, dogs, documentation, onDog }: SearchPaletteProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const index = useRef<Promise<DocumentationIndex>>(undefined);
  const [isOpen, setOpen] = useState(false);

  const loadIndex = () => {
    index.current ??= documentation().then((sections) => new DocumentationIndex(sections));
    // After a failure, the next attempt reads the documentation again.
    index.current.catch(() => {
      index.current = undefined;
    });
    return index.current;
  };

  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      if (!opensSearch(event, isApple, isField(event.target)) || document.querySelector(':modal')) return;
      event.preventDefault();
      setOpen(true);
    };
    document.addEventListener('keydown', onKeyDown);
    return () => document.removeEventListener('keydown', onKeyDown);
  }, []);

  // A layout effect moves focus to the field before the user presses the next key.
  useLayoutEffect(() => {
    if (isOpen) dialog.current?.showModal();
  }, [isOpen]);

  /** Closes the dialog, which restores focus, and then opens the result. */
  const close = (open: () => void) => {
    dialog.current?.close();
    open();
  };

  return (
    <>
      <button
        type="button"
        class="search-button"
        aria-haspopup="dialog"
        aria-keyshortcuts={isApple ? 'Meta+K' : 'Control+K'}
        onClick={() => setOpen(true)}
      >
        <SearchIcon />
        <span>Search</span>
        <kbd>{isApple ? '⌘K' : 'Ctrl K'}</kbd>
      </button>
      {/* biome-ignore lint/a11y/useKeyWithClickEvents: the Escape key closes a dialog */}
      <dialog
        ref={dialog}
        class="search"
        aria-label="Search"
        onClose={() => setOpen(false)}
        // The content covers the dialog, so a click on the dialog itself is on the backdrop.
        onClick={({ target }) => target === dialog.current && dialog.current?.close()}
      >
        {isOpen && (
          <SearchBox
            actions={actions}
            loadDogs={async () => dogs()}
            loadIndex={loadIndex}
            onDog={(id) => close(() => onDog(id))}
            onUrl={(url) => close(() => location.assign(url))}
            onAction={(action) => close(action.run)}
            onCancel={() => dialog.current?.close()}
          />
        )}
      </dialog>
    </>
  );
}

/** Returns true if the target uses key presses as input. */
function isField(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLElement && (target.isContentEditable || target.matches('input, select, textarea'))
  );
}

function SearchIcon() {
  return (
    <svg viewBox="0 0 16 16" width="16" height="16" aria-hidden="true">
      <circle cx="7" cy="7" r="4.5" />
      <path d="M10.5 10.5 14 14" />
    </svg>
  );
}

import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { SearchBox } from './SearchBox.tsx';
import { opensSearch } from './shortcut.ts';

const isApple = /Mac|iPhone|iPad/.test(navigator.platform);

export function Search() {
  const dialog = useRef<HTMLDialogElement>(null);
  const [isOpen, setOpen] = useState(false);

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
        {isOpen && <SearchBox onClose={() => dialog.current?.close()} />}
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

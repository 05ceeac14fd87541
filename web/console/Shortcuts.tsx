import { useEffect, useRef } from 'preact/hooks';
import { isApple, isField } from '../shared/search/SearchPalette.tsx';
import { Button } from '../shared/ui/Button.tsx';

const control = isApple ? '⌘' : 'Ctrl';

const shortcuts = [
  [`${control} K or /`, 'search dogs, views and the documentation'],
  ['Esc', 'close'],
  ['← → Home End', 'move through the chart'],
  ['Enter', 'zoom into a bar of the chart'],
  [`${control} Enter`, 'send the request you are writing'],
] as const;

/** @param open receives the function that opens the dialog */
export function Shortcuts({ open }: { readonly open: { current: () => void } }) {
  const dialog = useRef<HTMLDialogElement>(null);
  open.current = () => dialog.current?.showModal();
  useEffect(() => {
    const onKeyDown = ({ key, target }: KeyboardEvent) => {
      if (key === '?' && !isField(target) && !document.querySelector(':modal')) open.current();
    };
    document.addEventListener('keydown', onKeyDown);
    return () => document.removeEventListener('keydown', onKeyDown);
  }, []);
  return (
    <dialog ref={dialog} class="search shortcuts" aria-label="Shortcuts">
      <div class="row spread">
        <h2>Shortcuts</h2>
        <Button kind="small" onClick={() => dialog.current?.close()}>
          Close
        </Button>
      </div>
      <dl>
        {shortcuts.map(([key, effect]) => (
          <div key={key}>
            <dt>{effect}</dt>
            <dd>{key}</dd>
          </div>
        ))}
      </dl>
    </dialog>
  );
}

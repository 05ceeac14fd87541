import { useRef, useState } from 'preact/hooks';
import { clear } from './mails.ts';

/** The button that deletes all mails after a confirmation. @param total the number of mails */
export function ClearButton({ total }: { readonly total: number }) {
  const dialog = useRef<HTMLDialogElement>(null);
  const [hasFailed, setFailed] = useState(false);
  const open = () => {
    setFailed(false);
    dialog.current?.showModal();
  };
  const remove = async () => {
    const isCleared = await clear();
    setFailed(!isCleared);
    if (isCleared) dialog.current?.close();
  };
  return (
    <>
      <button type="button" class="danger" onClick={open}>
        Delete all …
      </button>
      <dialog ref={dialog} aria-labelledby="clear-title">
        <h2 id="clear-title">
          {total === 1 ? 'Delete the mail?' : `Delete all ${total.toLocaleString('en')} mails?`}
        </h2>
        <p>This also deletes the mails that the filter hides, and the file that contains the mails.</p>
        {hasFailed && <p role="alert">The service did not delete the mails. Try again.</p>}
        <div class="buttons">
          {/* The dialog gives the focus to its first button. */}
          <button type="button" onClick={() => dialog.current?.close()}>
            Cancel
          </button>
          <button type="button" class="danger" onClick={remove}>
            Delete all mails
          </button>
        </div>
      </dialog>
    </>
  );
}

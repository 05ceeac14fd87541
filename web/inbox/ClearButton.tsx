import { useRef, useState } from 'preact/hooks';
import { Alert } from '../shared/ui/Alert.tsx';
import { Button } from '../shared/ui/Button.tsx';
import { clear } from './mails.ts';

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
      <Button kind="danger" onClick={open}>
        Delete all …
      </Button>
      <dialog ref={dialog} aria-labelledby="clear-title">
        <h2 id="clear-title">
          {total === 1 ? 'Delete the email?' : `Delete all ${total.toLocaleString('en')} emails?`}
        </h2>
        <p>This also deletes the emails that the filter hides, and the file that contains the emails.</p>
        {hasFailed && <Alert kind="bad">The service did not delete the emails. Try again.</Alert>}
        <div class="row">
          {/* The dialog focuses its first button, so that button must not delete anything. */}
          <Button onClick={() => dialog.current?.close()}>Cancel</Button>
          <Button kind="danger" onClick={remove}>
            Delete all emails
          </Button>
        </div>
      </dialog>
    </>
  );
}

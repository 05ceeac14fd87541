import { Button } from '../shared/ui/Button.tsx';
import { page, show, view } from './mails.ts';
import { newerThan, olderThan, rangeOf, type View } from './view.ts';

export function Pager() {
  const shown = page.value;
  if (!shown) return null;
  const { address, text } = view.value;
  const newer = newerThan(shown, view.value);
  const older = olderThan(shown, view.value);
  if (!newer && !older) return null;
  return (
    <nav class="pager" aria-label="Pages of email">
      <PageButton label="Newest" target={newer && { address, text }} />
      <PageButton label="Newer" target={newer} />
      <span>{rangeOf(shown)}</span>
      <PageButton label="Older" target={older} />
    </nav>
  );
}

function PageButton({ label, target }: { readonly label: string; readonly target: View | undefined }) {
  const open = () => {
    if (!target) return;
    show(target, 'push');
    scrollTo(0, 0);
  };
  return (
    // A button with `disabled` would lose focus.
    <Button aria-disabled={!target} onClick={open}>
      {label}
    </Button>
  );
}

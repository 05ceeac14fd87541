import { useState } from 'preact/hooks';
import { Button } from '../../shared/ui/Button.tsx';
import type { ControlAttributes } from '../../shared/ui/Field.tsx';

interface SecretInputProps extends ControlAttributes {
  /** The secret's name, for the label of the button that shows or hides it. */
  readonly label: string;
  readonly value: string;
  readonly onInput: (value: string) => void;
}

export function SecretInput({ label, onInput, ...attributes }: SecretInputProps) {
  const [isShown, setShown] = useState(false);
  const control = {
    ...attributes,
    autocomplete: 'off',
    autocapitalize: 'none',
    spellcheck: false,
    onInput: ({ currentTarget }: InputEvent & { currentTarget: HTMLInputElement }) =>
      onInput(currentTarget.value),
  } as const;
  return (
    <div class="secret">
      {isShown ? <input {...control} type="text" /> : <input {...control} type="password" />}
      <Button aria-label={`${isShown ? 'Hide' : 'Show'} ${label}`} onClick={() => setShown(!isShown)}>
        {isShown ? 'Hide' : 'Show'}
      </Button>
    </div>
  );
}

import type { ButtonHTMLAttributes, ComponentChildren } from 'preact';

interface ButtonProps extends Omit<ButtonHTMLAttributes<HTMLButtonElement>, 'type'> {
  readonly kind?: 'danger' | 'icon' | 'main' | 'quiet' | 'small';
  readonly type?: 'button' | 'submit';
  /** True while the action of the button is in progress. The button keeps the focus and ignores clicks. */
  readonly isBusy?: boolean;
  readonly children: ComponentChildren;
}

/** A button. It does not submit a form unless its type is `submit`. */
export function Button({ kind = 'quiet', type = 'button', isBusy = false, ...attributes }: ButtonProps) {
  const { onClick } = attributes;
  return (
    <button
      {...attributes}
      type={type}
      class={kind}
      aria-busy={isBusy || undefined}
      // A disabled button loses the focus.
      onClick={isBusy ? (event) => event.preventDefault() : onClick}
    />
  );
}

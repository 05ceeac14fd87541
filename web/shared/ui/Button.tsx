import type { ButtonHTMLAttributes, ComponentChildren } from 'preact';

interface ButtonProps extends Omit<ButtonHTMLAttributes<HTMLButtonElement>, 'type'> {
  readonly kind?: 'danger' | 'main' | 'quiet' | 'small';
  readonly type?: 'button' | 'submit';
  /** A busy button keeps focus and ignores clicks. */
  readonly isBusy?: boolean;
  readonly children: ComponentChildren;
}

export function Button({ kind = 'quiet', type = 'button', isBusy = false, ...attributes }: ButtonProps) {
  const { onClick } = attributes;
  return (
    <button
      {...attributes}
      type={type}
      class={kind}
      aria-busy={isBusy || undefined}
      // Not `disabled`, because the button would lose focus.
      onClick={isBusy ? (event) => event.preventDefault() : onClick}
    />
  );
}

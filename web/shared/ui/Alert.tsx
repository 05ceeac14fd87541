import type { ComponentChildren } from 'preact';

interface AlertProps {
  /** `bad` is a failure, which screen readers announce at once. `good` is a result, and `info` is a hint. */
  readonly kind: 'bad' | 'good' | 'info';
  readonly children: ComponentChildren;
}

const icons = { bad: '✕', good: '✓', info: 'i' } as const;

export function Alert({ kind, children }: AlertProps) {
  return (
    <div class={`alert ${kind}`} role={kind === 'bad' ? 'alert' : 'status'}>
      <span class="icon" aria-hidden="true">
        {icons[kind]}
      </span>
      <div>{children}</div>
    </div>
  );
}

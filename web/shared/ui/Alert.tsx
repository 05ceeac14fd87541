import type { ComponentChildren } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';

interface AlertProps {
  /** `bad` is a failure, which screen readers announce at once. `good` is a result, and `info` is a hint. */
  readonly kind: 'bad' | 'good' | 'info';
  readonly children: ComponentChildren;
}

const icons = { bad: '✕', good: '✓', info: 'i' } as const;

export function Alert({ kind, children }: AlertProps) {
  const element = useRef<HTMLDivElement>(null);
  // In a narrow window, a result can be below the button that caused it.
  useLayoutEffect(() => {
    if (kind !== 'info') element.current?.scrollIntoView({ block: 'nearest' });
  }, []);
  return (
    <div ref={element} class={`alert ${kind}`} role={kind === 'bad' ? 'alert' : 'status'}>
      <span class="icon" aria-hidden="true">
        {icons[kind]}
      </span>
      <div>{children}</div>
    </div>
  );
}

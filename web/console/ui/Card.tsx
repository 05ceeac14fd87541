import type { ComponentChildren } from 'preact';
import { useUniqueId } from '../../shared/ui/unique-id.ts';

interface CardProps {
  readonly title: ComponentChildren;
  /** The exchange that the card's action causes. A wide window shows it beside the children. */
  readonly beside?: ComponentChildren;
  readonly children: ComponentChildren;
}

export function Card({ title, beside, children }: CardProps) {
  const id = useUniqueId();
  return (
    <section class="card" aria-labelledby={id}>
      <div class="subject">
        <h2 id={id}>{title}</h2>
        {children}
      </div>
      {beside}
    </section>
  );
}

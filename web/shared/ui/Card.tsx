import type { ComponentChildren } from 'preact';
import { useUniqueId } from './unique-id.ts';

interface CardProps {
  readonly title: ComponentChildren;
  /** Shown beside the children in a wide window. Usually the exchange of the card's action. */
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
      {beside && <div class="beside">{beside}</div>}
    </section>
  );
}

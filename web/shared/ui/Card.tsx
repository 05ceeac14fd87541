import type { ComponentChildren } from 'preact';
import { useUniqueId } from './unique-id.ts';

interface CardProps {
  readonly title: ComponentChildren;
  /** The content beside the card's own content in a wide window, such as the exchange of its action. */
  readonly beside?: ComponentChildren;
  readonly children: ComponentChildren;
}

/** A section of a view. */
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

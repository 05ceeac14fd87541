/**
 * Calls a function as soon as no pointer is pressed. If a text appears between the press and the release of a pointer, it moves
 * the pressed element, and the browser then reports no click.
 */
export function afterPress(run: () => void): void {
  if (document.querySelector(':active')) addEventListener('pointerup', () => setTimeout(run), { once: true });
  else run();
}

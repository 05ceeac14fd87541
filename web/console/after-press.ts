/**
 * Calls a function after the current press, or at once if there is none. Text that appears during a press can move the pressed
 * element, and the browser then reports no click.
 */
export function afterPress(run: () => void): void {
  if (document.querySelector(':active')) addEventListener('pointerup', () => setTimeout(run), { once: true });
  else run();
}

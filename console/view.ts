import type { Dog } from '../client/index.ts';

/** The content of the page for one address. */
export interface View {
  readonly element: HTMLElement;
  /** Reads the content again, and keeps the text that the reader has typed. */
  load(): Promise<void>;
}

/** The page around a view. */
export interface Place {
  /** Aborts when the reader leaves the view. */
  readonly left: AbortSignal;
  /** Shows another address, with a notice above it. */
  go(address: string, notice?: HTMLElement): void;
  /** Reads the list of the dogs again. */
  reloadList(): void;
  /** Shows the current state of a dog in the list. */
  seen(dog: Dog): void;
}

/**
 * Waits, at least until the page is visible.
 *
 * @returns false if the reader has left the view
 */
export async function pause(milliseconds: number, left: AbortSignal): Promise<boolean> {
  await new Promise<void>((done) => {
    const end = () => {
      clearTimeout(timer);
      left.removeEventListener('abort', end);
      done();
    };
    const timer = setTimeout(end, milliseconds);
    left.addEventListener('abort', end);
  });
  while (document.hidden && !left.aborted)
    await new Promise((done) => document.addEventListener('visibilitychange', done, { once: true }));
  return !left.aborted;
}

import type { Dog } from '../../client/index.ts';

/** The content of the page for one address. */
export interface View {
  readonly element: HTMLElement;
  /** Reads the content again, and keeps the text that the user has entered. */
  load(): Promise<void>;
}

/** The parts of the page that a view uses. */
export interface Place {
  /** Aborts when the user leaves the view. */
  readonly left: AbortSignal;
  /** Shows the view of another address. @param notice an element that the page shows above the view */
  go(address: string, notice?: HTMLElement): void;
  /** Reads the list of the dogs again. */
  reloadList(): void;
  /** Updates the entry of a dog in the list. */
  updateList(dog: Dog): void;
}

/** Waits, and continues to wait while the page is hidden. @returns true, or false if the user has left the view */
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

import type { Dog } from '../client/index.ts';

/** What the page shows of one address. */
export interface View {
  readonly element: HTMLElement;
  /** Reads anew what it shows, and leaves alone what the reader has begun to write. */
  load(): Promise<void>;
}

/** Where a view is shown. */
export interface Place {
  /** Ends when the view is left. */
  readonly left: AbortSignal;
  /** Shows what another address has, and what happened, above it. */
  go(address: string, notice?: HTMLElement): void;
  /** Reads the list of the dogs anew. */
  reloadList(): void;
  /** Has the list show what was seen of a dog. */
  seen(dog: Dog): void;
}

/** Waits, and longer while nobody sees the page. @returns false if the view has been left */
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

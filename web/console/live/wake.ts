/** A wait that `wake` can end early. */
export class Wake {
  private woken = Promise.withResolvers<void>();

  /** Ends the current wait, or the next one if none is in progress. */
  wake(): void {
    this.woken.resolve();
  }

  /** Waits for the given time, or until `wake` is called or the signal aborts. @returns false if the signal has aborted */
  async wait(milliseconds: number, signal: AbortSignal): Promise<boolean> {
    if (signal.aborted) return false;
    const wake = () => this.wake();
    const timer = setTimeout(wake, milliseconds);
    signal.addEventListener('abort', wake);
    await this.woken.promise;
    clearTimeout(timer);
    signal.removeEventListener('abort', wake);
    this.woken = Promise.withResolvers();
    return !signal.aborted;
  }
}

/**
 * Calls a function at once, and again after each pause, but not while the page is hidden. The function returns the length of the
 * pause in milliseconds, or undefined to end.
 *
 * @returns a function that ends the repetition
 */
export function repeat(run: () => Promise<number | undefined>): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let isRunning = false;
  let hasEnded = false;
  const end = () => {
    hasEnded = true;
    clearTimeout(timer);
    document.removeEventListener('visibilitychange', next);
  };
  const next = async () => {
    if (isRunning || document.hidden) return;
    clearTimeout(timer);
    isRunning = true;
    const pauseMs = await run();
    isRunning = false;
    if (hasEnded) return;
    if (pauseMs === undefined) end();
    else timer = setTimeout(next, pauseMs);
  };
  document.addEventListener('visibilitychange', next);
  void next();
  return end;
}

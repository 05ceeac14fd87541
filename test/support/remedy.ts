/**
 * Makes assertions. If one fails, its message begins with the remedy: the file to change or the command to run. For tests that
 * compare a copy or a list with its source.
 */
export function withRemedy(remedy: string, assert: () => void): void {
  try {
    assert();
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    const { message, stack = message } = error;
    error.message = `${remedy}\n\n${message}`;
    error.stack = stack.replace(message, () => error.message);
    throw error;
  }
}

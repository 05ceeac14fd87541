/** Makes assertions. If one fails, its message begins with the remedy: the file to change or the command to run. */
export function withRemedy(remedy: string, assert: () => void): void {
  // A snapshot that differs throws nothing. Jest fails the test at its end with the errors in this list.
  const earlier = suppressedErrors().length;
  try {
    assert();
  } catch (error) {
    if (error instanceof Error) addRemedy(remedy, error);
    throw error;
  }
  for (const error of suppressedErrors().slice(earlier)) addRemedy(remedy, error);
}

function suppressedErrors(): readonly Error[] {
  return expect.getState().suppressedErrors;
}

function addRemedy(remedy: string, error: Error): void {
  const { message, stack = message } = error;
  error.message = `${remedy}\n\n${message}`;
  error.stack = stack.replace(message, () => error.message);
}

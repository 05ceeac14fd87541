/** What no client hears of, and an alarm counts by its name. */
export type LoggedEvent = 'BarkFailed' | 'CredentialRefused' | 'MailFailed';

/** Logs such an event. @param error why, if there is more to say of it */
export function logEvent(event: LoggedEvent, what: object, error?: unknown): void {
  console.error({ event, ...what, ...(error !== undefined && { error: described(error) }) });
}

/**
 * An error as it may stand in a log, with its causes. Its message may quote an address, which is left out; its other
 * fields may hold a whole item.
 */
export function described(error: unknown): object {
  const { name, message, stack, cause } = error instanceof Error ? error : new Error(String(error));
  return {
    errorType: name,
    errorMessage: withoutAddresses(message),
    stackTrace: withoutAddresses(stack ?? '').split('\n'),
    ...(cause !== undefined && { cause: described(cause) }),
  };
}

function withoutAddresses(text: string): string {
  return text.replace(/[^\s<>,;:"/]+@[^\s<>,;:"/]+/g, '(an address)');
}

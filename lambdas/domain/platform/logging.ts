/** The name of a failure that no response reports. An alarm counts these events. */
export type LoggedEvent = 'BarkFailed' | 'CredentialRefused' | 'MailFailed';

/**
 * Logs an event.
 *
 * @param what the IDs that identify the event
 * @param error the cause, if there is one
 */
export function logEvent(event: LoggedEvent, what: object, error?: unknown): void {
  console.error({ event, ...what, ...(error !== undefined && { error: described(error) }) });
}

/**
 * Returns an error and its causes in a form that is safe to log. Removes email addresses from the messages, and removes all
 * other fields, because they can contain a whole item.
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

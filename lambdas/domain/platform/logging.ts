/** The log events that report a failure that no response shows, or that only the operator can correct. Each triggers an alarm. */
export type LoggedEvent = 'BarkFailed' | 'CredentialRefused' | 'MailDropped' | 'MailFailed' | 'SenderRefused';

/** @param what the fields of the event, such as the IDs of the dog and the bark */
export function logEvent(event: LoggedEvent, what: object, error?: unknown): void {
  console.error({ event, ...what, ...(error !== undefined && { error: described(error) }) });
}

/**
 * Returns what is safe to log about an error and its causes: names, messages and stack traces without email addresses. Other
 * fields can contain a whole item.
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

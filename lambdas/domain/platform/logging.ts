/** Failures that no response shows, or that only the operator can correct. Each triggers an alarm. */
export type LoggedEvent = 'BarkFailed' | 'CredentialRefused' | 'MailDropped' | 'MailFailed' | 'SenderRefused';

export function logEvent(event: LoggedEvent, what: object, error?: unknown): void {
  console.error({ event, ...what, ...(error !== undefined && { error: described(error) }) });
}

/** Returns what is safe to log: no email addresses, and no custom fields, which can contain a whole item. */
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

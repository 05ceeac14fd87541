export interface ServiceTexts {
  /** The name of the service as used in a sentence, such as `shop service`. */
  readonly name: string;
  /** How to get the first email. The inbox shows it as HTML. */
  readonly inboxHint?: string;
  /** The service's pages to which the inbox links. The paths have no leading slash. */
  readonly pages?: readonly { readonly path: string; readonly text: string }[];
  /** Returns the command that shows a queue's messages. The log line about new messages ends with this command. */
  readonly showQueue?: (queueName: string) => string;
}

export const defaultTexts: ServiceTexts = { name: 'service' };

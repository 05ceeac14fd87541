/** The texts of a service that the emulators print and show. */
export interface ServiceTexts {
  /** The name of the service within a sentence, such as `shop service`. */
  readonly name: string;
  /** The text of the inbox while it has no mail. */
  readonly emptyInbox: string;
  /** Returns the command that shows the messages of a queue. The log line about new messages ends with it. */
  readonly showQueue?: (queueName: string) => string;
}

export const defaultTexts: ServiceTexts = { name: 'service', emptyInbox: 'No mail yet.' };

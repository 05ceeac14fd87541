/** The service-specific texts that the emulators print and show. */
export interface ServiceTexts {
  /** The name of the service as used in a sentence, such as `shop service`. */
  readonly name: string;
  /** The text of an empty inbox. */
  readonly emptyInbox: string;
  /** Returns the command that shows the messages in a queue. The log line about new messages ends with this command. */
  readonly showQueue?: (queueName: string) => string;
}

export const defaultTexts: ServiceTexts = { name: 'service', emptyInbox: 'No mail yet.' };

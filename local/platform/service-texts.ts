export interface ServiceTexts {
  /** The name of the service as used in a sentence, such as `shop service`. */
  readonly name: string;
  /** Returns the HTML page of the inbox. Without it, the emails are available only as JSON. */
  readonly inboxPage?: (urls: InboxUrls) => Promise<InboxPage>;
  /** Returns the command that shows the messages in a queue. The log line about new messages ends with this command. */
  readonly showQueue?: (queueName: string) => string;
}

interface InboxUrls {
  /** The URL of the API, without a trailing slash. */
  readonly baseUrl: string;
  /** The URL of the inbox, with a trailing slash. */
  readonly inboxUrl: string;
}

/** The page of the inbox, which the local cloud serves at `…/` and at `…/mails/ID`. */
export interface InboxPage {
  readonly html: string;
  readonly contentSecurityPolicy: string;
}

export const defaultTexts: ServiceTexts = { name: 'service' };

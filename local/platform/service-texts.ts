export interface ServiceTexts {
  /** The name of the service as used in a sentence, such as `shop service`. */
  readonly name: string;
  /** Without this page, a browser shows the emails as JSON. */
  readonly inboxPage?: (urls: InboxUrls) => Promise<InboxPage>;
  /** Returns the command that shows a queue's messages. The log line about new messages ends with this command. */
  readonly showQueue?: (queueName: string) => string;
}

interface InboxUrls {
  /** Without a trailing slash. */
  readonly baseUrl: string;
  /** With a trailing slash. */
  readonly inboxUrl: string;
}

/** Served at `…/` and at `…/mails/ID`. */
export interface InboxPage {
  readonly html: string;
  readonly contentSecurityPolicy: string;
}

export const defaultTexts: ServiceTexts = { name: 'service' };

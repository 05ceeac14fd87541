import { JsonLines } from '../platform/json-lines.ts';
import { isMail, type Mail, type MailPage, recipientsOf } from './mail.ts';

/** Letter case does not matter. */
export interface MailFilter {
  /** The beginning of the sender's or a recipient's address. */
  readonly address?: string | undefined;
  /** Text in the subject, in the body or in an address. */
  readonly text?: string | undefined;
}

/** The default is the newest page. */
export interface PageSelection {
  /** The default is all emails. */
  readonly limit?: number | undefined;
  /** The ID of an email. The page contains the next older ones. */
  readonly before?: string | undefined;
  /** The ID of an email. The page contains the next newer ones. */
  readonly after?: string | undefined;
}

export class Mailbox {
  private readonly file: JsonLines<Mail>;
  /** Oldest first. */
  private mails: Mail[];
  private readonly listeners = new Set<() => void>();

  constructor(file: string) {
    this.file = new JsonLines(file, isMail);
    this.mails = this.file.read();
  }

  add(mail: Mail): void {
    this.file.append(mail);
    this.mails.push(mail);
    this.notify();
  }

  clear(): void {
    this.file.clear();
    this.mails = [];
    this.notify();
  }

  find(messageId: string): Mail | undefined {
    return this.mails.find((mail) => mail.messageId === messageId);
  }

  /** With `before`, a page keeps its emails when new ones arrive. An unknown ID selects the newest page. */
  list(
    filter: MailFilter = {},
    { limit = Number.POSITIVE_INFINITY, before, after }: PageSelection = {},
  ): MailPage {
    const matching = this.mails.filter((mail) => matches(mail, filter)).reverse();
    const indexOf = (id: string) => matching.findIndex(({ messageId }) => messageId === id);
    let newer = 0;
    if (before !== undefined) newer = indexOf(before) + 1;
    else if (after !== undefined) newer = Math.max(0, indexOf(after) - limit);
    return {
      emails: matching.slice(newer, newer + limit),
      newer,
      matching: matching.length,
      total: this.mails.length,
    };
  }

  /** Returns a function that removes the listener. */
  onChange(listener: () => void): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  private notify(): void {
    for (const listener of this.listeners) listener();
  }
}

function matches(mail: Mail, { address = '', text = '' }: MailFilter): boolean {
  const addresses = [mail.from, ...recipientsOf(mail)].map((one) => one.toLowerCase());
  const texts = [mail.subject, mail.body.text, mail.body.html].map((one) => one.toLowerCase());
  return (
    addresses.some((one) => one.startsWith(address.toLowerCase())) &&
    [...addresses, ...texts].some((one) => one.includes(text.toLowerCase()))
  );
}

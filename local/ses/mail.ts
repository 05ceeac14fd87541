export interface Mail {
  readonly messageId: string;
  readonly from: string;
  readonly destination: { readonly to: string[]; readonly cc: string[]; readonly bcc: string[] };
  readonly subject: string;
  readonly body: { readonly text: string; readonly html: string };
  readonly unsubscribe?: string;
  /** Unix seconds. */
  readonly at: number;
}

export function isMail(value: unknown): value is Mail {
  const { messageId, from, destination, subject, body, at } = Object(value);
  const { to, cc, bcc } = Object(destination);
  const { text, html } = Object(body);
  const areLists = [to, cc, bcc].every(Array.isArray);
  const texts = [messageId, from, subject, text, html, to, cc, bcc].flat();
  return areLists && texts.every((one) => typeof one === 'string') && typeof at === 'number';
}

export interface MailPage {
  readonly emails: readonly Mail[];
  /** The number of matching emails that are newer than this page. */
  readonly newer: number;
  /** The number of matching emails, on all pages. */
  readonly matching: number;
  readonly total: number;
}

export function recipientsOf({ destination: { to, cc, bcc } }: Mail): string[] {
  return [...to, ...cc, ...bcc];
}

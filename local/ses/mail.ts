/** A mail that was sent, as `mail_url` shows it. */
export interface Mail {
  readonly messageId: string;
  readonly from: string;
  readonly destination: { readonly to: string[]; readonly cc: string[]; readonly bcc: string[] };
  readonly subject: string;
  readonly body: { readonly text: string; readonly html: string };
  /** Unix seconds. */
  readonly at: number;
}

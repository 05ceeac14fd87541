import { randomUUID } from 'node:crypto';

/** A sent mail, as the endpoint's `/mails` returns it. */
export interface Mail {
  readonly messageId: string;
  readonly from: string;
  readonly destination: { readonly to: string[]; readonly cc: string[]; readonly bcc: string[] };
  readonly subject: string;
  readonly body: { readonly text: string; readonly html: string };
  /** Unix seconds. */
  readonly at: number;
}

/** Creates a mail from the parameters of SendEmail, with a new message ID and the current time. */
export function mailOf(parameters: URLSearchParams): Mail {
  const members = (name: string) =>
    [...parameters]
      .filter(([key]) => key.startsWith(`Destination.${name}.member.`))
      .map(([, address]) => address);
  return {
    messageId: randomUUID(),
    from: parameters.get('Source') ?? '',
    destination: { to: members('ToAddresses'), cc: members('CcAddresses'), bcc: members('BccAddresses') },
    subject: parameters.get('Message.Subject.Data') ?? '',
    body: {
      text: parameters.get('Message.Body.Text.Data') ?? '',
      html: parameters.get('Message.Body.Html.Data') ?? '',
    },
    at: Math.floor(Date.now() / 1000),
  };
}

/** Returns all addresses to which a mail was sent. */
export function recipientsOf({ destination: { to, cc, bcc } }: Mail): string[] {
  return [...to, ...cc, ...bcc];
}

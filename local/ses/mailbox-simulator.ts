import { randomUUID } from 'node:crypto';
import type { BusEvent } from '../eventbridge/event-bus.ts';
import { account, arn, region } from '../template/arns.ts';
import { type Mail, recipientsOf } from './mail.ts';

interface SimulatedEvent {
  readonly detailType: string;
  detail(emailAddress: string, timestamp: string): object;
}

function hardBounce(bounceSubType: string, diagnosticCode: string): SimulatedEvent {
  return {
    detailType: 'Email Bounced',
    detail: (emailAddress, timestamp) => ({
      eventType: 'Bounce',
      bounce: {
        feedbackId: randomUUID(),
        bounceType: 'Permanent',
        bounceSubType,
        bouncedRecipients: [{ emailAddress, action: 'failed', status: '5.1.1', diagnosticCode }],
        timestamp,
      },
    }),
  };
}

/**
 * The events that addresses of the SES mailbox simulator cause, by the local part of the address without its `+` label.
 *
 * @see {@link https://docs.aws.amazon.com/ses/latest/dg/send-an-email-from-console.html Using the mailbox simulator}
 */
const simulator: Readonly<Record<string, SimulatedEvent>> = {
  bounce: hardBounce('General', 'smtp; 550 5.1.1 user unknown'),
  // SES treats this address as if it were on the global suppression list.
  suppressionlist: hardBounce(
    'Suppressed',
    'Amazon SES has suppressed sending to this address because it has a recent history of bouncing as an invalid address.',
  ),
  complaint: {
    detailType: 'Email Complaint Received',
    detail: (emailAddress, timestamp) => ({
      eventType: 'Complaint',
      complaint: {
        feedbackId: randomUUID(),
        complainedRecipients: [{ emailAddress }],
        complaintFeedbackType: 'abuse',
        timestamp,
      },
    }),
  },
};

export function eventsOf(
  mail: Mail,
  configurationSet: string,
  tags: ReadonlyMap<string, string>,
): BusEvent[] {
  const timestamp = new Date(mail.at * 1000).toISOString();
  return recipientsOf(mail).flatMap((recipient) => {
    const [, kind = ''] = /^(\w+)(?:\+[^@]*)?@simulator\.amazonses\.com$/i.exec(recipient) ?? [];
    const simulated = simulator[kind.toLowerCase()];
    if (!simulated) return [];
    return {
      version: '0',
      id: randomUUID(),
      'detail-type': simulated.detailType,
      source: 'aws.ses',
      account,
      time: timestamp,
      region,
      resources: [arn('ses', `configuration-set/${configurationSet}`)],
      detail: {
        ...simulated.detail(recipient, timestamp),
        mail: {
          timestamp,
          messageId: mail.messageId,
          source: mail.from,
          sendingAccountId: account,
          destination: recipientsOf(mail),
          tags: {
            ...Object.fromEntries([...tags].map(([name, value]) => [name, [value]])),
            'ses:configuration-set': [configurationSet],
          },
        },
      },
    };
  });
}

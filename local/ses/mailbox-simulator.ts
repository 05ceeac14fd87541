import { randomUUID } from 'node:crypto';
import type { BusEvent } from '../eventbridge/event-bus.ts';
import { account, arn, region } from '../template/arns.ts';
import { type Mail, recipientsOf } from './mail.ts';

interface SimulatedEvent {
  readonly detailType: string;
  detail(emailAddress: string, timestamp: string): object;
}

/**
 * The events that addresses of the SES mailbox simulator cause, by the local part of the address without its `+` label.
 *
 * @see {@link https://docs.aws.amazon.com/ses/latest/dg/send-an-email-from-console.html Using the mailbox simulator}
 */
const simulator: Readonly<Record<string, SimulatedEvent>> = {
  bounce: {
    detailType: 'Email Bounced',
    detail: (emailAddress, timestamp) => ({
      eventType: 'Bounce',
      bounce: {
        feedbackId: randomUUID(),
        bounceType: 'Permanent',
        bounceSubType: 'General',
        bouncedRecipients: [
          { emailAddress, action: 'failed', status: '5.1.1', diagnosticCode: 'smtp; 550 5.1.1 user unknown' },
        ],
        timestamp,
      },
    }),
  },
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

/** Returns the events that SES sends to EventBridge for the recipients at the mailbox simulator. */
export function simulatedEventsOf(mail: Mail, configurationSet: string): BusEvent[] {
  return recipientsOf(mail).flatMap((recipient) => {
    const [, kind = ''] = /^(\w+)(?:\+[^@]*)?@simulator\.amazonses\.com$/i.exec(recipient) ?? [];
    const simulated = simulator[kind.toLowerCase()];
    return simulated ? [eventOf(simulated, recipient, mail, configurationSet)] : [];
  });
}

function eventOf(
  { detailType, detail }: SimulatedEvent,
  recipient: string,
  mail: Mail,
  configurationSet: string,
): BusEvent {
  const timestamp = new Date(mail.at * 1000).toISOString();
  return {
    version: '0',
    id: randomUUID(),
    'detail-type': detailType,
    source: 'aws.ses',
    account,
    time: timestamp,
    region,
    resources: [arn('ses', `configuration-set/${configurationSet}`)],
    detail: {
      ...detail(recipient, timestamp),
      mail: {
        timestamp,
        messageId: mail.messageId,
        source: mail.from,
        sendingAccountId: account,
        destination: recipientsOf(mail),
        tags: { 'ses:configuration-set': [configurationSet] },
      },
    },
  };
}

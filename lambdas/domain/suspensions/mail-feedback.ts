import { dogId } from '../../contract/dog-id.ts';
import { type Check, isUlid, matches, validEvent } from '../platform/event.ts';
import { seconds } from '../platform/request-context.ts';
import type { MailFeedback } from './suspend.ts';

interface Feedback extends Pick<MailFeedback, 'dog' | 'incarnation'> {
  readonly timestamp: string;
  readonly recipients: readonly { readonly emailAddress: string }[];
}

/**
 * The types of reports in which no recipient complains: mail that failed authentication or seemed to contain a virus, which only
 * the operator can correct, and mail that was wrongly taken for spam.
 *
 * @see {@link https://www.rfc-editor.org/rfc/rfc5965#section-7.3 RFC 5965 section 7.3}
 */
const noComplaints = ['auth-failure', 'not-spam', 'virus'];

/**
 * The mail's tags identify the dog; see
 * {@link https://docs.aws.amazon.com/ses/latest/dg/event-publishing-retrieving-sns-contents.html Contents of SES events}.
 *
 * @returns undefined if the event is a report in which no recipient complains. A report without a type is a complaint
 * @throws InvalidEvent if the event is neither a permanent bounce nor a complaint, or if the mail lacks the tags
 */
export function mailFeedbackOf(event: unknown): MailFeedback | undefined {
  const { detail } = Object(event) as { readonly detail?: Detail };
  const { bounce, complaint, mail } = detail ?? {};
  const isBounce = bounce?.bounceType === 'Permanent';
  const { dog, incarnation, timestamp, recipients } = validEvent<Feedback>(
    {
      dog: firstOf(mail?.tags?.dog),
      incarnation: firstOf(mail?.tags?.incarnation),
      timestamp: (isBounce ? bounce : complaint)?.timestamp,
      recipients: isBounce ? bounce.bouncedRecipients : complaint?.complainedRecipients,
    },
    { dog: matches(dogId), incarnation: isUlid, timestamp: isTime, recipients: areRecipients },
  );
  // RFC 5965 does not distinguish the case of letters.
  if (!isBounce && noComplaints.includes(String(complaint?.complaintFeedbackType).toLowerCase()))
    return undefined;
  return {
    dog,
    incarnation,
    addresses: recipients.map(({ emailAddress }) => emailAddress),
    reason: isBounce ? 'bounced' : 'complained',
    at: seconds(Date.parse(timestamp)),
  };
}

interface Detail {
  readonly bounce?: {
    readonly bounceType?: unknown;
    readonly bouncedRecipients?: unknown;
    readonly timestamp?: unknown;
  };
  readonly complaint?: {
    readonly complaintFeedbackType?: unknown;
    readonly complainedRecipients?: unknown;
    readonly timestamp?: unknown;
  };
  readonly mail?: { readonly tags?: Readonly<Record<string, unknown>> };
}

/** In an event, each tag has a list of values. */
function firstOf(values: unknown): unknown {
  return Array.isArray(values) ? values[0] : undefined;
}

const isTime: Check = (value) => typeof value === 'string' && !Number.isNaN(Date.parse(value));

const areRecipients: Check = (value) =>
  Array.isArray(value) &&
  value.length > 0 &&
  value.every((one) => typeof (Object(one) as { emailAddress?: unknown }).emailAddress === 'string');

import { dogId } from '../dogs/dog.ts';
import { type Check, isUlid, matches, validEvent } from '../platform/event.ts';
import { seconds } from '../platform/request-context.ts';
import type { MailFeedback } from './suspend.ts';

interface Feedback extends Pick<MailFeedback, 'dog' | 'incarnation'> {
  readonly timestamp: string;
  readonly recipients: readonly { readonly emailAddress: string }[];
}

/**
 * The mail's tags identify the dog; see
 * {@link https://docs.aws.amazon.com/ses/latest/dg/event-publishing-retrieving-sns-contents.html Contents of SES events}.
 *
 * @throws InvalidEvent if the event is neither a permanent bounce nor a complaint, or if the mail lacks the tags
 */
export function mailFeedbackOf(event: unknown): MailFeedback {
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
  readonly complaint?: { readonly complainedRecipients?: unknown; readonly timestamp?: unknown };
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

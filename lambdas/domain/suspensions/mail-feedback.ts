import { dogId } from '../dogs/dog.ts';
import { type Check, isUlid, matches, validEvent } from '../platform/event.ts';
import { seconds } from '../platform/request-context.ts';
import type { MailFeedback } from './suspend.ts';

interface Feedback {
  readonly timestamp: string;
  readonly recipients: readonly { readonly emailAddress: string }[];
}

/**
 * The tags of the mail name the dog; see
 * {@link https://docs.aws.amazon.com/ses/latest/dg/event-publishing-retrieving-sns-contents.html Contents of SES events}.
 *
 * @throws InvalidEvent if the event is neither a permanent bounce nor a complaint, or if the mail does not have the tags
 */
export function mailFeedbackOf(event: unknown): MailFeedback {
  const { detail } = Object(event) as { readonly detail?: Detail };
  const { dog, incarnation } = tagsOf(detail);
  const { reason, ...feedback } = bounceOf(detail) ?? complaintOf(detail);
  const valid = validEvent<Feedback & { dog: string; incarnation: string }>(
    { ...feedback, dog, incarnation },
    { dog: matches(dogId), incarnation: isUlid, timestamp: isTime, recipients: areRecipients },
  );
  return {
    dog: valid.dog,
    incarnation: valid.incarnation,
    addresses: valid.recipients.map(({ emailAddress }) => emailAddress),
    reason,
    at: seconds(Date.parse(valid.timestamp)),
  };
}

/** Nothing has checked the members yet. */
interface Detail {
  readonly bounce?: {
    readonly bounceType?: unknown;
    readonly bouncedRecipients?: unknown;
    readonly timestamp?: unknown;
  };
  readonly complaint?: { readonly complainedRecipients?: unknown; readonly timestamp?: unknown };
  readonly mail?: { readonly tags?: Readonly<Record<string, unknown>> };
}

function bounceOf(detail: Detail | undefined) {
  const { bounceType, bouncedRecipients: recipients, timestamp } = detail?.bounce ?? {};
  return bounceType === 'Permanent' ? { reason: 'bounced' as const, recipients, timestamp } : undefined;
}

function complaintOf(detail: Detail | undefined) {
  const { complainedRecipients: recipients, timestamp } = detail?.complaint ?? {};
  return { reason: 'complained' as const, recipients, timestamp };
}

/** In an event, each tag has a list of values. */
function tagsOf(detail: Detail | undefined): { dog: unknown; incarnation: unknown } {
  const [dog, incarnation] = ['dog', 'incarnation'].map((name) => {
    const values = detail?.mail?.tags?.[name];
    return Array.isArray(values) ? values[0] : undefined;
  });
  return { dog, incarnation };
}

const isTime: Check = (value) => typeof value === 'string' && !Number.isNaN(Date.parse(value));

const areRecipients: Check = (value) =>
  Array.isArray(value) &&
  value.length > 0 &&
  value.every((one) => typeof (Object(one) as { emailAddress?: unknown }).emailAddress === 'string');

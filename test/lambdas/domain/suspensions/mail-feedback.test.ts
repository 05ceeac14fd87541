import { InvalidEvent } from '../../../../lambdas/domain/platform/event.ts';
import { mailFeedbackOf } from '../../../../lambdas/domain/suspensions/mail-feedback.ts';
import { sampleEvent } from '../../../../tools/invocation.ts';

interface Sample {
  readonly detail: {
    readonly bounce: Record<string, unknown>;
    readonly mail: { readonly tags: Record<string, unknown> };
  };
}
const { detail } = sampleEvent<Sample>('SuspendAddress');
const feedback = {
  dog: 'message-sync',
  incarnation: '01KAK0XW00ABCDEFGHJKMNPQRS',
  addresses: ['message-sync@example.com'],
  at: Date.UTC(2026, 10, 21, 12, 0, 4) / 1000,
};

describe('mailFeedbackOf', () => {
  test('returns the feedback of a permanent bounce', () => {
    expect(mailFeedbackOf({ detail })).toEqual({ ...feedback, reason: 'bounced' });
  });

  test('returns the feedback of a complaint', () => {
    const { bouncedRecipients: complainedRecipients, timestamp } = detail.bounce;
    const complaint = { complainedRecipients, timestamp };
    expect(mailFeedbackOf({ detail: { complaint, mail: detail.mail } })).toEqual({
      ...feedback,
      reason: 'complained',
    });
  });

  const complaintOf = (complaintFeedbackType: unknown) => {
    const { bouncedRecipients: complainedRecipients, timestamp } = detail.bounce;
    const complaint = { complainedRecipients, timestamp, complaintFeedbackType };
    return { detail: { complaint, mail: detail.mail } };
  };

  test.each(['abuse', 'fraud', 'other', 'unheard-of', '', null, 7])(
    'returns the feedback of a complaint whose type is %j',
    (type) => {
      expect(mailFeedbackOf(complaintOf(type))).toEqual({ ...feedback, reason: 'complained' });
    },
  );

  test.each(['not-spam', 'auth-failure', 'virus', 'Not-Spam'])(
    'returns nothing for a report of the type %s, because it is no complaint of a recipient',
    (type) => {
      expect(mailFeedbackOf(complaintOf(type))).toBeUndefined();
    },
  );

  test.each<[string, unknown]>([
    ['nothing', undefined],
    ['no detail', {}],
    ['a transient bounce', { detail: { ...detail, bounce: { ...detail.bounce, bounceType: 'Transient' } } }],
    ['no recipients', { detail: { ...detail, bounce: { ...detail.bounce, bouncedRecipients: [] } } }],
    [
      'recipients of another type',
      { detail: { ...detail, bounce: { ...detail.bounce, bouncedRecipients: [7] } } },
    ],
    ['an invalid time', { detail: { ...detail, bounce: { ...detail.bounce, timestamp: 'today' } } }],
    ['a mail without tags', { detail: { ...detail, mail: {} } }],
    ['tags that are no lists', { detail: { ...detail, mail: { tags: { dog: 'rex', incarnation: 'x' } } } }],
    ['an invalid dog', { detail: { ...detail, mail: { tags: { ...detail.mail.tags, dog: ['a b'] } } } }],
  ])('throws InvalidEvent for %s', (_, event) => {
    expect(() => mailFeedbackOf(event)).toThrow(InvalidEvent);
  });
});

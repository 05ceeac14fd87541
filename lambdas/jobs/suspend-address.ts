import { job } from '../domain/platform/job.ts';
import { mailFeedbackOf } from '../domain/suspensions/mail-feedback.ts';
import { suspendAddresses } from '../domain/suspensions/suspend.ts';

/** An EventBridge rule invokes this function with SES events. */
export const handler = job({ reserveMs: 1_000 }, async (event: unknown, context) => {
  const feedback = mailFeedbackOf(event);
  if (feedback) await suspendAddresses(feedback, context);
});

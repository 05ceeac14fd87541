import { job } from '../domain/platform/job.ts';
import { mailFeedbackOf } from '../domain/suspensions/mail-feedback.ts';
import { suspendAddresses } from '../domain/suspensions/suspend.ts';

/** EventBridge rules invoke this function with SES events. If the function throws, Lambda retries the event. */
export const handler = job({ reserveMs: 1_000 }, async (event: unknown, context) => {
  await suspendAddresses(mailFeedbackOf(event), context);
});

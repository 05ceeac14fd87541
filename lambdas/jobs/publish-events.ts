import { itemChangesOf } from '../domain/events/item-change.ts';
import { publishEvents } from '../domain/events/publish.ts';
import { job } from '../domain/platform/job.ts';

/**
 * Lambda resends the changes from the returned one onward, or all of them if this function throws.
 *
 * @see {@link https://docs.aws.amazon.com/lambda/latest/dg/services-ddb-batchfailurereporting.html Partial batch responses}
 */
export const handler = job({ reserveMs: 2_000 }, async (event: unknown, context) => {
  const unpublished = await publishEvents(itemChangesOf(event), context);
  return { batchItemFailures: unpublished ? [{ itemIdentifier: unpublished.sequenceNumber }] : [] };
});

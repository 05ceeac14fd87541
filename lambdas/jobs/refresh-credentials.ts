import { refreshCredentials } from '../domain/credentials/refresh.ts';
import { job } from '../domain/platform/job.ts';

/** EventBridge Scheduler invokes this function every ten minutes. */
export const handler = job({ reserveMs: 2_000 }, (_event: unknown, context) => refreshCredentials(context));

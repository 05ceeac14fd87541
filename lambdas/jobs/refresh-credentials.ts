import type { Context } from 'aws-lambda';
import { refreshCredentials } from '../domain/credentials/refresh.ts';

/** How long before its time is up the function gives up, in milliseconds. */
const reserve = 2_000;

/** Keeps the credentials fresh: called every ten minutes. What it throws, Lambda tries again. */
export async function handler(_event: unknown, context: Context): Promise<void> {
  const signal = AbortSignal.timeout(context.getRemainingTimeInMillis() - reserve);
  await refreshCredentials({ now: Date.now(), signal });
}

/** API Gateway ends a request after 29 seconds. The rest is for a cold start, the last read and the response. */
export const maxWaitSeconds = 20;

/** Includes time for the last read and the response. */
export const waitingTimeoutSeconds = maxWaitSeconds + 5;

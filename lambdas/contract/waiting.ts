/**
 * The longest time that a request waits for an asynchronous bark, in seconds. API Gateway ends a request after 29 seconds. The rest
 * of that time is for a cold start, the last read of the bark and the response.
 */
export const maxWaitSeconds = 20;

/**
 * The timeout of a function that can wait, in seconds. It includes the longest wait, the last read of the bark, and the time that
 * every function reserves for its response.
 */
export const waitingTimeoutSeconds = maxWaitSeconds + 5;

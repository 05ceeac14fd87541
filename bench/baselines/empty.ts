/** An empty function, to measure the cost of a cold start without any code. */
export const handler = async () => ({ statusCode: 200, body: '' });

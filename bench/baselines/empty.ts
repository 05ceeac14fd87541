/** A function that does nothing: what a cold start costs before any code of one's own. */
export const handler = async () => ({ statusCode: 200, body: '' });

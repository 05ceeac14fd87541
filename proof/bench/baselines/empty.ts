/** Shows how long a cold start takes without any code. */
export const handler = async () => ({ statusCode: 200, body: '' });

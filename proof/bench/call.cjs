/**
 * Simulates a Lambda execution environment. Loads the module whose path is the argument, as Lambda's runtime does, and then calls
 * its handler for each message from the parent process.
 *
 * This program is in JavaScript, because stripping types would lengthen the initialization.
 */
const [, , module_] = process.argv;

async function run() {
  const { handler } = module_.endsWith('.mjs') ? await import(module_) : require(module_);
  process.on('message', async (event) => {
    const began = performance.now();
    const response = await handler(JSON.parse(event), {
      awsRequestId: '11111111-2222-4333-8444-555555555555',
      functionName: 'benchmark',
      functionVersion: '1',
      invokedFunctionArn: 'arn:aws:lambda:us-east-1:000000000000:function:benchmark',
      memoryLimitInMB: process.env.AWS_LAMBDA_FUNCTION_MEMORY_SIZE,
      getRemainingTimeInMillis: () => 10_000,
    });
    process.send({ duration: performance.now() - began, response: response ?? null });
  });
  process.send('loaded');
}

run();

/**
 * Simulates a cold start: loads a function in the same way as Lambda's runtime, calls it once if there is an event, and exits.
 * The arguments are the module and the file of the event. The program prints the response, and the processor time of loading
 * and calling in microseconds. It is in JavaScript, because stripping types would take time.
 */
const [, , module_, eventFile] = process.argv;
const { handler } = require(module_);
const loading = process.cpuUsage();

async function call() {
  const event = JSON.parse(require('node:fs').readFileSync(eventFile, 'utf8'));
  const response = await handler(event, {
    awsRequestId: '11111111-2222-4333-8444-555555555555',
    getRemainingTimeInMillis: () => 10_000,
  });
  const { user, system } = process.cpuUsage(loading);
  const cpu = { loading: loading.user + loading.system, calling: user + system };
  process.stdout.write(JSON.stringify({ response: response ?? null, cpu }), () => process.exit());
}

if (eventFile) call();

/**
 * Loads a function as Lambda's runtime does, calls it once if there is an event, and ends: what a cold start is made of.
 * Its arguments are the module, and the event's file. It prints the answer, and the microseconds of the processor that
 * loading and calling took. It is JavaScript, since types would take time to strip.
 */
const [, , module_, eventFile] = process.argv;
const { handler } = require(module_);
const loading = process.cpuUsage();

async function call() {
  const event = JSON.parse(require('node:fs').readFileSync(eventFile, 'utf8'));
  const answer = await handler(event, {
    awsRequestId: '11111111-2222-4333-8444-555555555555',
    getRemainingTimeInMillis: () => 10_000,
  });
  const { user, system } = process.cpuUsage(loading);
  const cpu = { loading: loading.user + loading.system, calling: user + system };
  process.stdout.write(JSON.stringify({ answer: answer ?? null, cpu }), () => process.exit());
}

if (eventFile) call();

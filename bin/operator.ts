import {
  AlreadyExists,
  InvalidGrant,
  NotFound,
  NotYet,
  ScheduleRefused,
  Unavailable,
} from '../lambdas/domain/errors.ts';
import { commands } from './operator/commands.ts';
import { useDeployment } from './operator/deployment.ts';
import { parseCommandLine, UsageError, usage } from './operator/usage.ts';

/** What an operator can act upon; anything else is a defect. */
const expected = [UsageError, AlreadyExists, InvalidGrant, NotFound, NotYet, ScheduleRefused, Unavailable];

async function run(): Promise<void> {
  const { values: options, positionals } = parseCommandLine();
  const [noun, verb, ...names] = positionals;
  const command = commands[`${noun} ${verb}`];
  if (command?.length !== names.length + 1) throw new UsageError(usage);
  const outputs = await useDeployment(options.stack);
  const result = await command({ options, outputs }, ...names);
  console.log(options.json ? JSON.stringify(result) : inLines(result));
}

function inLines(result: object): string {
  return Object.entries(result)
    .map(([name, value]) => `${name}: ${value}`)
    .join('\n');
}

await run().catch((error: Error) => {
  const { code } = (error.cause ?? {}) as { code?: string };
  const isAbsent = code === 'ECONNREFUSED' && !process.argv.includes('--stack');
  if (isAbsent)
    console.error('The service on this machine does not answer. Does it run? npm start starts it.');
  else console.error(expected.some((kind) => error instanceof kind) ? error.message : error);
  process.exitCode = 1;
});

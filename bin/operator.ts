import {
  AlreadyExists,
  InvalidGrant,
  NotFound,
  NotYet,
  ScheduleRefused,
  Unavailable,
} from '../lambdas/domain/platform/errors.ts';
import { suggestionFor } from '../lib/suggestion.ts';
import { commands } from './cli/commands.ts';
import { useDeployment } from './cli/deployment.ts';
import { help, parseCommandLine, UsageError, usage } from './cli/usage.ts';

/** The secret that `--replace` replaces. */
const secretOf: Record<AlreadyExists['what'], string> = {
  user: 'password',
  client: 'secret',
  grant: 'refresh token',
};

/** The errors that an operator can fix. Any other error is a defect, and is printed with its stack trace. */
const expected = [UsageError, AlreadyExists, InvalidGrant, NotFound, NotYet, ScheduleRefused, Unavailable];

async function run(): Promise<void> {
  const { values: options, positionals } = parseCommandLine();
  if (options.help) return console.log(usage);
  if (positionals.length === 0) throw new UsageError(usage);
  const [noun, verb = '', ...names] = positionals;
  const name = `${noun} ${verb}`.trim();
  const command = Object.hasOwn(commands, name) ? commands[name] : undefined;
  if (!command) throw new UsageError(`Unknown command "${name}".${similarCommands(name, noun)} ${help}`);
  if (names.length + 1 !== command.length)
    throw new UsageError(
      `"${name}" takes ${argumentsIn(command.length - 1)}, but received ${names.length}. ${help}`,
    );
  const outputs = await useDeployment(options.stack);
  const result = await command({ options, outputs }, ...names);
  console.log(options.json ? JSON.stringify(result) : inLines(result));
}

/** Returns a sentence with the most similar command, or with the commands that begin with a word; empty if there are none. */
function similarCommands(name: string, noun = ''): string {
  const alike = Object.keys(commands).filter((one) => one.startsWith(`${noun} `));
  const list = alike.length === 0 ? '' : ` The commands are: ${alike.join(', ')}.`;
  return suggestionFor(name, Object.keys(commands)) || list;
}

function argumentsIn(count: number): string {
  return count === 1 ? '1 argument' : `${count} arguments`;
}

function inLines(result: object): string {
  if (Array.isArray(result)) return result.map(inLines).join('\n\n') || 'none';
  return Object.entries(result)
    .map(([name, value]) => `${name}: ${typeof value === 'object' ? JSON.stringify(value) : value}`)
    .join('\n');
}

/** Returns true if AWS refused a call because a permission is missing. */
function isRefused({ name }: Error): boolean {
  return name === 'AccessDeniedException' || name === 'AccessDenied';
}

await run().catch((error: Error) => {
  const { code } = (error.cause ?? {}) as { code?: string };
  const isAbsent = code === 'ECONNREFUSED' && !process.argv.includes('--stack');
  if (isAbsent) console.error('The service on this machine does not respond. Start it with npm start.');
  else if (error instanceof AlreadyExists)
    console.error(`${error.message} Add --replace to replace its ${secretOf[error.what]}.`);
  else if (isRefused(error)) console.error(`Your AWS credentials do not permit this. ${error.message}`);
  else console.error(expected.some((kind) => error instanceof kind) ? error.message : error);
  process.exitCode = 1;
});

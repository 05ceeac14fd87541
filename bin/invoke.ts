import { CommandLineError, parseCommandLine } from '../lib/command-line.ts';
import { bypassProxy } from '../local/platform/proxy.ts';
import { messageOf } from './cli/error-message.ts';
import { UsageError } from './cli/errors.ts';
import { FunctionError, invoke } from './invoke/invoke.ts';
import { printableJson, printableLines } from './printable.ts';

const usage = `Invokes a function of the dog service with an event, and prints the response.

  npm run invoke -- <function> <event file>

  For the functions, their sample events and their responses, see events/README.md.

  --stack <name>             invokes a function of a deployed stack, with your AWS credentials and region. Without
                             --stack, invokes a function of the local service in DATA_DIR (default: .local)`;

const options = { help: { type: 'boolean', short: 'h' }, stack: { type: 'string' } } as const;

async function run(): Promise<void> {
  bypassProxy();
  const { values, positionals } = parseCommandLine(process.argv.slice(2), options, true);
  if (values.help) return console.log(usage);
  const [id, file, ...more] = positionals;
  if (!id || !file || more.length > 0)
    throw new UsageError(`Specify a function and an event file.\n\n${usage}`);
  if (values.stack === '') throw new UsageError('Specify the name of the stack after --stack.');
  console.log(printableJson(await invoke(id, file, values.stack), 2));
}

await run().catch((error: Error) => {
  const isUsage = error instanceof CommandLineError || error instanceof UsageError;
  const text = isUsage || error instanceof FunctionError ? error.message : messageOf(error);
  const hint = error instanceof CommandLineError ? ' Run npm run invoke -- --help for the usage.' : '';
  console.error(printableLines(text + hint));
  process.exitCode = isUsage ? 2 : 1;
});

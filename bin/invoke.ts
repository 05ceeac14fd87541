import { parseArgs } from 'node:util';
import { commandLineProblem } from '../lib/suggestion.ts';
import { CommandFailed, UsageError } from './cli/errors.ts';
import { FunctionError, invoke } from './invoke/invoke.ts';

const usage = `Invokes a function of the dog service with an event, and prints the response.

  npm run invoke -- <function> <event file>

  For the functions, their sample events and their responses, see events/README.md.

  --stack <name>             invokes a function of a deployed stack, with your AWS credentials and region. Without
                             --stack, invokes a function of the local service in DATA_DIR (default: .local)`;

const options = { help: { type: 'boolean', default: false }, stack: { type: 'string' } } as const;

function parseCommandLine() {
  try {
    return parseArgs({ allowPositionals: true, options });
  } catch (error) {
    const problem = commandLineProblem(error as Error, Object.keys(options));
    throw new UsageError(`${problem} Run npm run invoke -- --help for the usage.`);
  }
}

async function run(): Promise<void> {
  const { values, positionals } = parseCommandLine();
  if (values.help) return console.log(usage);
  const [id, file, ...more] = positionals;
  if (id === undefined || file === undefined || more.length > 0)
    throw new UsageError(`Specify a function and an event file.\n\n${usage}`);
  console.log(JSON.stringify(await invoke(id, file, values.stack), null, 2));
}

await run().catch((error: Error) => {
  console.error(error instanceof CommandFailed || error instanceof FunctionError ? error.message : error);
  process.exitCode = 1;
});

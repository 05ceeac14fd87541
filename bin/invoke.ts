import { bypassProxy } from '@rest-actions/local-cloud/platform';
import { fail, readCommandLine } from '../lib/command-line.ts';
import { messageOf } from './cli/error-message.ts';
import { UsageError } from './cli/errors.ts';
import { invoke } from './invoke/invoke.ts';
import { printableJson, printableLines } from './printable.ts';

const usage = `npm run invoke -- <function> <event file>

Invokes a function of the dog service with an event, and prints the response. For the functions, their sample events and their
responses, see events/README.md.

--stack <name>  invokes a function of a deployed stack, with your AWS credentials and region. Without --stack, invokes a
                function of the local service in DATA_DIR (default: .local), and fills its dates, IDs and tokens into the
                sample event. To do so, it can make a dog bark or set its schedule
--as-is         sends a sample event unchanged`;

const { values, positionals } = readCommandLine(
  usage,
  { stack: { type: 'string' }, 'as-is': { type: 'boolean', default: false } },
  true,
);
const [id, file, ...more] = positionals;
if (!id || !file || more.length > 0) fail(`Specify a function and an event file.\n\n${usage}`);
if (values.stack === '') fail('Specify the name of the stack after --stack.');
bypassProxy();
try {
  console.log(printableJson(await invoke(id, file, { stack: values.stack, isAsIs: values['as-is'] }), 2));
} catch (error) {
  console.error(printableLines(messageOf(error as Error)));
  process.exitCode = error instanceof UsageError ? 2 : 1;
}

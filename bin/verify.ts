import { processTerminal } from './cli/terminal.ts';
import { main } from './verify/main.ts';

process.exitCode = await main(process.argv.slice(2), processTerminal());
// A connection that is still open would keep the process alive.
process.exit();

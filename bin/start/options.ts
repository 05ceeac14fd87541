import { resolve } from 'node:path';
import { defaultConcurrentExecutions } from '@rest-actions/local-cloud';
import { UserError } from '@rest-actions/local-cloud/platform';
import { CommandLineError, parseCommandLine } from '../../lib/command-line.ts';
import type { Output } from './terminal.ts';

export const defaultHost = '127.0.0.1';

/**
 * Reads the command line and the environment variables.
 *
 * @throws UserError if an option or a variable is invalid
 */
export function readOptions(args: readonly string[] = process.argv.slice(2)) {
  const {
    PORT = '3000',
    HOST,
    DATA_DIR,
    CONCURRENT_EXECUTIONS = String(defaultConcurrentExecutions),
    CI,
  } = process.env;
  const {
    context = [],
    app,
    quiet,
    verbose,
    json,
    help,
    'no-watch': noWatch,
    'clock-offset': clockOffset,
  } = parseOptions(args).values;
  const port = Number(PORT);
  if (!/^\d+$/.test(PORT) || port > 65_535)
    throw new UserError(`PORT must be a number from 0 to 65535, not "${PORT}".`);
  if (!/^[1-9]\d*$/.test(CONCURRENT_EXECUTIONS))
    throw new UserError(
      `CONCURRENT_EXECUTIONS must be a positive whole number, not "${CONCURRENT_EXECUTIONS}".`,
    );
  const incomplete = context.find((setting) => !/^[^=]+=/.test(setting));
  if (incomplete !== undefined)
    throw new UserError(`"${incomplete}" is not a setting with a value. Write it as -c name=value.`);
  const names = context.map((setting) => setting.split('=')[0]);
  const repeated = names.find((name, i) => names.indexOf(name) !== i);
  if (repeated !== undefined) throw new UserError(`${repeated} is set more than once. Set it once.`);
  const given = Object.fromEntries(context.map((setting) => setting.split(/=(.*)/s))) as Record<
    string,
    string
  >;
  if (app !== undefined && Object.keys(given).some((name) => name !== 'stage'))
    throw new UserError(
      'With --app, only the stage can be chosen (-c stage=<name>). Other settings apply when the stack is synthesized.',
    );
  return {
    // An empty host would make the server listen on all interfaces.
    host: HOST || defaultHost,
    port,
    concurrentExecutions: Number(CONCURRENT_EXECUTIONS),
    // An empty variable counts as unset.
    directory: resolve(DATA_DIR || '.local'),
    settings: { ...localSettings, ...given },
    /** The folder with the synthesized stacks, and the chosen stage, if any. Undefined if this start synthesizes the stack. */
    app: app === undefined ? undefined : { folder: resolve(app), stage: given.stage },
    output: outputOf({ quiet, verbose, json }),
    watches: !noWatch && !CI,
    clockOffsetMs: clockOffset === undefined ? undefined : Number(clockOffset),
    help,
  };
}

/** The default settings of `npm start` that differ from those of a deployment. */
export const localSettings = {
  stage: 'prod',
  events: 'true', // @extension events
};

function outputOf({ quiet, verbose, json }: Record<Exclude<Output, 'lines'>, boolean>): Output {
  if (json) return 'json';
  if (quiet) return 'quiet';
  return verbose ? 'verbose' : 'lines';
}

const options = {
  context: { type: 'string', short: 'c', multiple: true },
  app: { type: 'string' },
  quiet: { type: 'boolean', default: false },
  verbose: { type: 'boolean', default: false },
  json: { type: 'boolean', default: false },
  'no-watch': { type: 'boolean', default: false },
  help: { type: 'boolean', short: 'h', default: false },
  // For tests only, so the help does not list it. See docs/testing.md.
  'clock-offset': { type: 'string' },
} as const;

function parseOptions(args: readonly string[]) {
  try {
    return parseCommandLine(args, options);
  } catch (cause) {
    if (!(cause instanceof CommandLineError)) throw cause;
    throw new UserError(`${cause.message} Run npm start -- --help for a list of the options.`, { cause });
  }
}

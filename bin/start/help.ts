import { defaultSettings, settingDescriptions } from '../../lib/settings.ts';
import { localSettings } from './options.ts';

const options = [
  ['-c, --context <name>=<value>', 'changes a setting of the stack'],
  ['--app <folder>', 'runs the synthesized stack in a folder, such as cdk.out, and does not reload it'],
  ['--quiet', 'prints only notices, errors and reload errors, not a line for each request'],
  ['--verbose', 'prints a line for each repeated read, the function of each request, and routine logs'],
  ['--json', 'prints each line as JSON'],
  ['--no-watch', 'does not reload the code when it changes'],
  ['-h, --help', 'prints this help'],
] as const;

const variables = [
  ['PORT', 'the port of the service. 0 selects a free port. Default: 3000'],
  ['HOST', 'the address on which the service listens. Default: 127.0.0.1'],
  ['DATA_DIR', 'the folder with all state. Default: .local'],
  ['CONCURRENT_EXECUTIONS', 'the Lambda concurrency quota. Default: 1000'],
  ['CI', 'has the effect of --no-watch if it is set'],
  ['NO_COLOR', 'turns off colors if it is set'],
  ['AWS_ENDPOINT_URL_DYNAMODB', 'the URL of a DynamoDB endpoint to use instead of the emulator'],
] as const;

export function help(): string {
  const defaults: Readonly<Record<string, unknown>> = { ...defaultSettings, ...localSettings };
  const settings = Object.entries(settingDescriptions()).map(
    ([name, text]) => [`${name}=${optionText(defaults[name])}`, text] as const,
  );
  return [
    'Runs the dog service on this machine.',
    '',
    'Usage: npm start -- [options]',
    'Example: PORT=8080 npm start -- --quiet -c cancellationWindowSeconds=30',
    '',
    'Options:',
    ...table(options),
    '',
    'Environment variables:',
    ...table(variables),
    '',
    "Settings and their defaults. The stage's file, such as stages/prod.json, can also set them.",
    ...settings.flatMap(([assignment, text]) => [`  ${assignment}`, `      ${text}`]),
  ].join('\n');
}

/** Returns a default in the form that the option `-c` accepts. */
function optionText(value: unknown): string {
  return typeof value === 'object' ? Object.values(value ?? {}).join(',') : String(value);
}

function table(rows: readonly (readonly [string, string])[]): string[] {
  const width = Math.max(...rows.map(([name]) => name.length));
  return rows.map(([name, text]) => `  ${name.padEnd(width)}  ${text}`);
}

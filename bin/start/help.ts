import { defaultSettings, type Settings } from '../../lib/settings.ts';

const options = [
  ['-c, --context <name>=<value>', 'changes a setting of the stack'],
  ['--quiet', 'prints only messages and server errors'],
  ['--json', 'prints each line as JSON'],
  ['--no-watch', 'does not reload code that changes'],
  ['--help', 'prints this help'],
] as const;

const variables = [
  ['PORT', 'the port of the service. 0 selects a free port. Default: 3000'],
  ['HOST', 'the address on which the service listens. Default: 127.0.0.1'],
  ['DATA_DIR', 'the folder with all state. Default: .local'],
  ['CONCURRENT_EXECUTIONS', 'the quota of concurrent executions of functions. Default: 1000'],
  ['CI', 'if set, has the effect of --no-watch'],
  ['NO_COLOR', 'prints no colors'],
  ['AWS_ENDPOINT_URL_DYNAMODB', 'the URL of a DynamoDB that replaces the emulator'],
  ['AWS_ENDPOINT_URL_SES', 'the same for SES'],
  ['AWS_ENDPOINT_URL_SFN', 'the same for Step Functions'],
  ['AWS_ENDPOINT_URL_SCHEDULER', 'the same for EventBridge Scheduler'],
  ['AWS_ENDPOINT_URL_SECRETS_MANAGER', 'the same for Secrets Manager'],
] as const;

/** Returns the help of `npm start`. */
export function help(): string {
  const settings = Object.entries(defaultSettings) as [keyof Settings, unknown][];
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
    'Settings with their defaults (docs/deploying.md describes them):',
    ...table(settings.map(([name, value]) => [name, JSON.stringify(value)] as const)),
  ].join('\n');
}

function table(rows: readonly (readonly [string, string])[]): string[] {
  const width = Math.max(...rows.map(([name]) => name.length));
  return rows.map(([name, text]) => `  ${name.padEnd(width)}  ${text}`);
}

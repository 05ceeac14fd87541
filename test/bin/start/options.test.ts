import { resolve } from 'node:path';
import { readOptions } from '../../../bin/start/options.ts';

const folder = resolve('cdk.out');

beforeEach(() => {
  for (const name of ['CI', 'CONCURRENT_EXECUTIONS', 'DATA_DIR', 'HOST', 'PORT']) delete process.env[name];
});

describe('npm start', () => {
  test.each<[string, string[], Record<string, string>, object]>([
    ['has the loopback address if HOST is not set', [], {}, { host: '127.0.0.1' }],
    ['has the loopback address if HOST is empty', [], { HOST: '' }, { host: '127.0.0.1' }],
    ['has the address in HOST', [], { HOST: '0.0.0.0' }, { host: '0.0.0.0' }],
    ['has the folder .local if DATA_DIR is empty', [], { DATA_DIR: '' }, { directory: resolve('.local') }],
    ['runs the stage prod by default', [], {}, { settings: { stage: 'prod' } }],
    ['has the setting of an option', ['-c', 'stage=a=b'], {}, { settings: { stage: 'a=b' } }],
    ['publishes events by default', [], {}, { settings: { events: 'true' } }], // @extension events
    ['can turn events off', ['-c', 'events=false'], {}, { settings: { events: 'false' } }], // @extension events
    ['has a clock that tests cannot set by default', [], {}, { clockOffsetMs: undefined }],
    ['begins at the system time with an offset of 0', ['--clock-offset=0'], {}, { clockOffsetMs: 0 }],
    ['begins an hour earlier', ['--clock-offset=-3600000'], {}, { clockOffsetMs: -3_600_000 }],
    ['watches the code', [], {}, { watches: true }],
    ['does not watch the code with --no-watch', ['--no-watch'], {}, { watches: false }],
    ['does not watch the code if CI is set', [], { CI: 'true' }, { watches: false }],
    ['runs the stack in a folder', ['--app', 'cdk.out'], {}, { app: { folder, stage: undefined } }],
    [
      "runs a stage's stack in a folder",
      ['--app', 'cdk.out', '-c', 'stage=test'],
      {},
      { app: { folder, stage: 'test' } },
    ],
    ['synthesizes the stack by default', [], {}, { app: undefined }],
  ])('%s', (_, args, environment, expected) => {
    Object.assign(process.env, environment);
    expect(readOptions(args)).toMatchObject(expected);
  });
});

describe('npm start is refused', () => {
  test.each([
    ...['dog', '65536', '3e3', ''].map((port) => ['PORT', port, 'a number from 0 to 65535']),
    ...['dog', '0', '1.5', ''].map((quota) => ['CONCURRENT_EXECUTIONS', quota, 'a positive whole number']),
  ])('for the %s %j', (name = '', value = '', rule = '') => {
    process.env[name] = value;
    expect(() => readOptions([])).toThrow(`${name} must be ${rule}, not "${value}".`);
  });

  test('for --app with a setting other than the stage, which has no effect on a synthesized stack', () => {
    expect(() => readOptions(['--app', 'cdk.out', '-c', 'tracing=false'])).toThrow(
      'With --app, only the stage can be chosen',
    );
  });

  test('for a setting that is set twice', () => {
    expect(() => readOptions(['-c', 'stage=test', '--context=stage=prod'])).toThrow(
      'stage is set more than once.',
    );
  });

  test.each(['tracing', '', '=true'])('for the setting %j, which has no name or no value', (setting) => {
    expect(() => readOptions(['-c', setting])).toThrow(
      `"${setting}" is not a setting with a value. Write it as -c name=value.`,
    );
  });

  test('for two folders with --app', () => {
    expect(() => readOptions(['--app', 'a', '--app', 'b'])).toThrow('Use the option "--app" only once.');
  });
});

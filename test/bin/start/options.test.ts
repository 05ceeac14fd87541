import { resolve } from 'node:path';
import { readOptions } from '../../../bin/start/options.ts';

const before = { ...process.env };

afterEach(() => {
  for (const name of ['CI', 'CONCURRENT_EXECUTIONS', 'HOST', 'PORT']) set(name, before[name]);
});

function set(name: string, value: string | undefined): void {
  if (value === undefined) delete process.env[name];
  else process.env[name] = value;
}

describe('The host of npm start', () => {
  test.each([
    ['the loopback address if HOST is not set', undefined, '127.0.0.1'],
    ['the loopback address if HOST is empty', '', '127.0.0.1'],
    ['the value of HOST', '0.0.0.0', '0.0.0.0'],
  ])('is %s', (_, value, expected) => {
    set('HOST', value);
    expect(readOptions([]).host).toBe(expected);
  });
});

describe('The settings of npm start', () => {
  test.each<[string, string[], Record<string, string>]>([
    ['turn events on by default', [], { events: 'true' }],
    ['can turn events off', ['-c', 'events=false'], { events: 'false' }],
    ['contain each option -c', ['-c', 'stage=a=b'], { events: 'true', stage: 'a=b' }],
  ])('%s', (_, args, expected) => {
    expect(readOptions(args).settings).toEqual(expected);
  });
});

describe('The clock of npm start', () => {
  test.each<[string, string[], number | undefined]>([
    ['cannot be set by tests by default', [], undefined],
    ['begins at the system time with an offset of 0', ['--clock-offset=0'], 0],
    ['begins an hour earlier with a negative offset', ['--clock-offset=-3600000'], -3_600_000],
  ])('%s', (_, args, expected) => {
    expect(readOptions(args).clockOffsetMs).toBe(expected);
  });
});

describe('npm start', () => {
  test.each<[string, string[], string | undefined, boolean]>([
    ['watches the code', [], undefined, true],
    ['does not watch the code with --no-watch', ['--no-watch'], undefined, false],
    ['does not watch the code if CI is set', [], 'true', false],
  ])('%s', (_, args, ci, expected) => {
    set('CI', ci);
    expect(readOptions(args).watches).toBe(expected);
  });
});

describe('npm start is refused', () => {
  test.each(['dog', '65536', '3e3', ''])('for the PORT %j', (port) => {
    set('PORT', port);
    expect(() => readOptions([])).toThrow(`PORT must be a number from 0 to 65535, not "${port}".`);
  });

  test.each(['dog', '0', '1.5', ''])('for the CONCURRENT_EXECUTIONS %j', (quota) => {
    set('CONCURRENT_EXECUTIONS', quota);
    expect(() => readOptions([])).toThrow(
      `CONCURRENT_EXECUTIONS must be a positive whole number, not "${quota}".`,
    );
  });
});

describe('npm start --app', () => {
  test('runs the stack in a folder', () => {
    expect(readOptions(['--app', 'cdk.out']).app).toBe(resolve('cdk.out'));
    expect(readOptions([]).app).toBeUndefined();
  });

  test('is refused together with a setting, which has no effect on a synthesized stack', () => {
    expect(() => readOptions(['--app', 'cdk.out', '-c', 'stage=test'])).toThrow(
      'Use --app without --context.',
    );
  });
});

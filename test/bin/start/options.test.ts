import { resolve } from 'node:path';
import { readOptions } from '../../../bin/start/options.ts';

const { HOST, CI } = process.env;

afterEach(() => {
  set('HOST', HOST);
  set('CI', CI);
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

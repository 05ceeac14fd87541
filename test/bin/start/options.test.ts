import { readOptions } from '../../../bin/start/options.ts';

const former = process.env.HOST;

afterEach(() => {
  if (former === undefined) delete process.env.HOST;
  else process.env.HOST = former;
});

describe('The host of npm start', () => {
  test.each([
    ['the loopback address if HOST is not set', undefined, '127.0.0.1'],
    ['the loopback address if HOST is empty', '', '127.0.0.1'],
    ['the value of HOST', '0.0.0.0', '0.0.0.0'],
  ])('is %s', (_, value, expected) => {
    if (value === undefined) delete process.env.HOST;
    else process.env.HOST = value;
    expect(readOptions([]).host).toBe(expected);
  });
});

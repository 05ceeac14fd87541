import { PassThrough } from 'node:stream';
import { hintsOf, listenToKeys } from '../../../bin/start/keys.ts';

const run = { o: jest.fn(), r: jest.fn() };
const keys = [
  { key: 'o', help: 'open', hint: 'to open', run: run.o },
  { key: 'r', help: 'reload', run: run.r },
];
const print = jest.fn();
const onLine = jest.fn();
let input: PassThrough;
let isForeground: boolean;

beforeEach(() => {
  jest.clearAllMocks();
  input = new PassThrough();
  isForeground = true;
});
afterEach(() => input.end());

const listen = () => listenToKeys(input, keys, { print, onLine, isForeground: () => isForeground });

/** Types a text. Resolves when a terminal that reads has received all of it. */
async function type(text: string): Promise<void> {
  input.write(text);
  await new Promise((done) => setImmediate(done));
}

describe('The keys of npm start', () => {
  test('have hints for the banner', () => {
    expect(hintsOf(keys)).toEqual(['o + Enter to open', 'h + Enter for the other keys']);
  });

  test('run their functions when the user types them and Enter', async () => {
    listen();
    await type('o');
    expect(run.o).not.toHaveBeenCalled();
    await type('\n R \n');
    expect([run.o, run.r].map((one) => one.mock.calls.length)).toEqual([1, 1]);
  });

  test('include h, which prints them all, and ignore other lines, which only move the cursor', async () => {
    listen();
    await type('\nx\noo\n');
    expect([run.o.mock.calls, run.r.mock.calls, print.mock.calls]).toEqual([[], [], []]);
    expect(onLine).toHaveBeenCalledTimes(3);
    await type('h\n');
    expect(print.mock.calls).toEqual([
      ['  o + Enter  open\n  r + Enter  reload\n  h + Enter  show this help'],
    ]);
  });

  test('are read only while the process runs in the foreground', async () => {
    isForeground = false;
    listen();
    await type('o\n');
    expect(run.o).not.toHaveBeenCalled();
    isForeground = true;
    process.emit('SIGCONT', 'SIGCONT');
    await type('r\n');
    expect([run.o, run.r].map((one) => one.mock.calls.length)).toEqual([1, 1]);
    isForeground = false;
    process.emit('SIGCONT', 'SIGCONT');
    await type('r\n');
    expect(run.r).toHaveBeenCalledTimes(1);
  });

  test('end with the input', async () => {
    const before = process.listenerCount('SIGCONT');
    listen();
    expect(process.listenerCount('SIGCONT')).toBe(before + 1);
    input.end();
    await new Promise((done) => setImmediate(done));
    expect(process.listenerCount('SIGCONT')).toBe(before);
  });
});

import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { DataDirectory } from '../../../local/platform/data-directory.ts';
import { UserError } from '../../../local/platform/user-error.ts';

let root: string;
let path: string;
let held: DataDirectory[];
let processes: ChildProcess[];

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'data-'));
  path = join(root, 'a', 'b');
  held = [];
  processes = [];
});

afterEach(() => {
  for (const directory of held) directory.release();
  for (const process of processes) process.kill('SIGKILL');
  rmSync(root, { recursive: true });
});

function hold(): DataDirectory {
  const directory = new DataDirectory(path);
  held.push(directory);
  return directory;
}

function release(directory: DataDirectory): void {
  directory.release();
  held = held.filter((one) => one !== directory);
}

function messageOf(hold: () => unknown): string {
  try {
    hold();
  } catch (error) {
    expect(error).toBeInstanceOf(UserError);
    return (error as Error).message;
  }
  throw new Error('It was not refused.');
}

const modeOf = (file: string) => statSync(file).mode & 0o777;

describe('The folder of a service', () => {
  test('is bound to its first stack', () => {
    const directory = hold();
    directory.bindTo('DogService-prod');
    directory.bindTo('DogService-prod');
    expect(messageOf(() => directory.bindTo('DogService-test'))).toBe(
      `DATA_DIR ${path} contains the data of DogService-prod, not of DogService-test. Set DATA_DIR to another folder.`,
    );
  });

  test('is created if it is missing, with access only for its owner', () => {
    hold();
    expect(modeOf(path)).toBe(0o700);
  });

  test('can already exist', () => {
    mkdirSync(path, { recursive: true });
    writeFileSync(join(path, 'kept.json'), '{}');
    expect(readFileSync(hold().file('kept.json'), 'utf8')).toBe('{}');
  });

  test('is used by one service at a time', () => {
    hold();
    expect(messageOf(() => new DataDirectory(path))).toBe(
      `Another service is using DATA_DIR ${path}. Stop it, or set DATA_DIR to another folder.`,
    );
  });

  test('is identified by its real path, so that a symbolic link to it is the same folder', () => {
    hold();
    const link = join(root, 'link');
    symlinkSync(path, link);
    expect(messageOf(() => new DataDirectory(link))).toBe(
      `Another service is using DATA_DIR ${link}. Stop it, or set DATA_DIR to another folder.`,
    );
    for (const directory of held) directory.release();
    const linked = new DataDirectory(link);
    held = [linked];
    expect(linked.path).toBe(realpathSync(path));
    expect(linked.file('lock')).toBe(join(realpathSync(path), 'lock'));
  });

  test('can be used again after each release', () => {
    for (let i = 0; i < 3; i++) release(hold());
    hold();
    expect(messageOf(() => new DataDirectory(path))).toContain('Another service is using');
  });

  test('can be used while another service uses another folder', () => {
    hold();
    path = join(root, 'other');
    expect(hold().path).toBe(path);
  });

  const failLockWith = (message: string, errcode: number) =>
    jest.spyOn(DatabaseSync.prototype, 'exec').mockImplementationOnce(() => {
      throw Object.assign(new Error(message), { errcode });
    });

  test('is refused, with the reason, if its disk is full', () => {
    failLockWith('database or disk is full', 13);
    expect(messageOf(() => new DataDirectory(path))).toBe(
      `The disk of DATA_DIR ${path} is full. Free some space, then start again.`,
    );
  });

  test('is refused, with the reason, if its lock cannot be written', () => {
    failLockWith('attempt to write a readonly database', 8);
    expect(messageOf(() => new DataDirectory(path))).toBe(
      `DATA_DIR ${path} is not writable: attempt to write a readonly database. Set DATA_DIR to a folder that you can write to.`,
    );
  });

  test('is refused if it is a file', () => {
    writeAt('a/b');
    expect(messageOf(() => new DataDirectory(path))).toBe(
      `DATA_DIR ${path} is not a folder. Set DATA_DIR to a folder.`,
    );
  });

  test('names its lock if it is damaged', () => {
    release(hold());
    const lock = join(path, 'lock');
    writeFileSync(lock, 'This is not a database. '.repeat(99));
    expect(messageOf(() => new DataDirectory(path))).toBe(
      `${lock} is damaged. Delete this file, which contains no data, and then start again.`,
    );
  });

  test('names its file if the name of the stack in it is empty', () => {
    const directory = hold();
    writeFileSync(directory.file('stack'), '');
    expect(messageOf(() => directory.bindTo('DogService-prod'))).toBe(
      `${directory.file('stack')} is damaged. Write "DogService-prod" into it if the folder has the data of this stack. Otherwise, delete the folder to start over.`,
    );
  });

  test('can be used again when the process that used it was killed', async () => {
    const script = `
      const { DatabaseSync } = require('node:sqlite');
      const lock = new DatabaseSync(process.argv[1]);
      lock.exec('PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE');
      console.log('held');
      setInterval(() => {}, 1000);`;
    release(hold());
    const lock = join(path, 'lock');
    const holder = spawn(process.execPath, ['--no-warnings', '-e', script, lock]);
    processes.push(holder);
    await once(holder.stdout, 'data');
    expect(messageOf(() => new DataDirectory(path))).toContain('Another service is using');
    holder.kill('SIGKILL');
    await once(holder, 'exit');
    expect(hold().path).toBe(path);
  });

  test.each<[string, () => void]>([
    ['is in a file', () => writeAt('a')],
    ['contains a folder in place of its lock', () => writeAt('a/b/lock/file')],
  ])('is refused if it %s', (_, prepare) => {
    prepare();
    const message = messageOf(() => new DataDirectory(path));
    expect(message).toMatch(
      new RegExp(
        `^DATA_DIR ${path} is not writable: .+\\. Set DATA_DIR to a folder that you can write to\\.$`,
      ),
    );
  });

  // Only in this file system does mkdir fail with ENOENT although the parent exists. Node would repeat the mkdir forever.
  (existsSync('/proc/self') ? test : test.skip)('is refused at once if it is in /proc', () => {
    const module = join(import.meta.dirname, '../../../local/platform/data-directory.ts');
    const script = `
      import { DataDirectory } from '${module}';
      try { new DataDirectory('/proc/x/y'); } catch (error) { console.log(error.message); }`;
    const { stdout } = spawnSync(process.execPath, ['--no-warnings', '--input-type=module', '-e', script], {
      encoding: 'utf8',
      env: { ...process.env, NODE_OPTIONS: '' },
      timeout: 5_000,
      killSignal: 'SIGKILL',
    });
    expect(stdout).toBe(
      "DATA_DIR /proc/x/y is not writable: ENOENT: no such file or directory, mkdir '/proc/x'. Set DATA_DIR to a folder that you can write to.\n",
    );
  });

  function writeAt(name: string): void {
    mkdirSync(join(root, dirname(name)), { recursive: true });
    writeFileSync(join(root, name), '');
  }
});

describe('A file that is written there', () => {
  test('contains the document, and can be read only by its owner', () => {
    const directory = hold();
    directory.write('access.json', { password: 'é' });
    expect(modeOf(join(path, 'access.json'))).toBe(0o600);
    const text = readFileSync(directory.file('access.json'), 'utf8');
    expect(text.endsWith('\n')).toBe(true);
    expect(JSON.parse(text)).toEqual({ password: 'é' });
  });

  test('replaces the previous file, and leaves no draft', () => {
    const directory = hold();
    directory.write('access.json', { words: 'x'.repeat(10_000) });
    directory.write('access.json', { words: 'y' });
    expect(JSON.parse(readFileSync(directory.file('access.json'), 'utf8'))).toEqual({ words: 'y' });
    expect(readdirSync(path).filter((name) => name.startsWith('access'))).toEqual(['access.json']);
  });

  test('replaces a file that others can read', () => {
    const directory = hold();
    writeFileSync(directory.file('access.json'), '{}');
    chmodSync(directory.file('access.json'), 0o644);
    directory.write('access.json', {});
    expect(modeOf(directory.file('access.json'))).toBe(0o600);
  });

  test('is unchanged if the new file cannot be written', () => {
    const directory = hold();
    directory.write('access.json', { words: 'old' });
    mkdirSync(directory.file('access.json.new'));
    expect(() => directory.write('access.json', { words: 'new' })).toThrow('EISDIR');
    expect(JSON.parse(readFileSync(directory.file('access.json'), 'utf8'))).toEqual({ words: 'old' });
  });

  test('is a new file each time, so that a reader of the old file reads all of it', () => {
    const directory = hold();
    directory.write('access.json', { words: 'old' });
    const before = statSync(directory.file('access.json')).ino;
    directory.write('access.json', { words: 'new' });
    expect(statSync(directory.file('access.json')).ino).not.toBe(before);
  });

  test('replaces the draft of a killed service', () => {
    const directory = hold();
    writeFileSync(directory.file('access.json.new'), '{"tor', { mode: 0o600 });
    directory.write('access.json', { words: 'whole' });
    expect(JSON.parse(readFileSync(directory.file('access.json'), 'utf8'))).toEqual({ words: 'whole' });
    expect(existsSync(directory.file('access.json.new'))).toBe(false);
  });
});

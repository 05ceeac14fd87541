import {
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { DataDirectory } from '../../platform/data-directory.ts';
import { UserError } from '../../platform/user-error.ts';
import { useTestCloud } from '../support/emulators.ts';

const cloud = useTestCloud();
let path: string;
beforeEach(() => {
  path = cloud.file(join('a', 'b'));
});

function hold(): DataDirectory {
  const directory = new DataDirectory(path);
  cloud.use({ close: () => directory.release() });
  return directory;
}

function messageOf(hold: () => unknown): string {
  try {
    hold();
  } catch (error) {
    expect(error).toBeInstanceOf(UserError);
    return (error as Error).message;
  }
  throw new Error('It is not refused.');
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

  test.each(['', '\x1b[2Jrandom\n\xff', 'a b'])(
    'is not bound to a stack if its file with the name is damaged: %j',
    (content) => {
      const directory = hold();
      writeFileSync(directory.file('stack'), content);
      expect(messageOf(() => directory.bindTo('DogService-prod'))).toBe(
        `${directory.file('stack')} is damaged. If the folder contains the data of DogService-prod, delete this file, and then start again.`,
      );
    },
  );

  test('is created if it is missing, with access only for its owner', () => {
    hold();
    expect(modeOf(path)).toBe(0o700);
  });

  test('is identified by its real path, so that a symbolic link to it is the same folder', async () => {
    const real = path;
    hold();
    const link = cloud.file('link');
    symlinkSync(path, link);
    expect(messageOf(() => new DataDirectory(link))).toBe(
      `Another service is using DATA_DIR ${link}. Stop it, or set DATA_DIR to another folder.`,
    );
    await cloud.stop();
    path = link;
    const linked = hold();
    expect([linked.path, linked.file('lock')]).toEqual([
      realpathSync(real),
      join(realpathSync(real), 'lock'),
    ]);
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

  function writeAt(name: string): void {
    mkdirSync(dirname(cloud.file(name)), { recursive: true });
    writeFileSync(cloud.file(name), '');
  }
});

describe('A file that is written there', () => {
  let directory: DataDirectory;
  let file: string;
  beforeEach(() => {
    directory = hold();
    file = directory.file('access.json');
  });
  const content = () => JSON.parse(readFileSync(file, 'utf8'));

  test('contains the latest document, can be read only by its owner, and leaves no draft', () => {
    directory.write('access.json', { words: 'x'.repeat(10_000) });
    directory.write('access.json', { password: 'é' });
    expect(modeOf(file)).toBe(0o600);
    expect(readFileSync(file, 'utf8')).toMatch(/\n$/);
    expect(content()).toEqual({ password: 'é' });
    expect(readdirSync(path).filter((name) => name.startsWith('access'))).toEqual(['access.json']);
  });

  test('is unchanged if the new file cannot be written', () => {
    directory.write('access.json', { words: 'old' });
    mkdirSync(`${file}.new`);
    expect(() => directory.write('access.json', { words: 'new' })).toThrow('EISDIR');
    expect(content()).toEqual({ words: 'old' });
  });
});

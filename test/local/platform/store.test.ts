import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inTransaction, openStore } from '../../../local/platform/store.ts';
import { UserError } from '../../../local/platform/user-error.ts';

const root = mkdtempSync(join(tmpdir(), 'store-'));
afterAll(() => rmSync(root, { recursive: true }));

let directory: string;
beforeEach(() => {
  directory = mkdtempSync(join(root, 'data-'));
});

function open() {
  const store = openStore(join(directory, 'file.sqlite'));
  store.exec('CREATE TABLE IF NOT EXISTS numbers (number INTEGER)');
  return store;
}

function add(store: ReturnType<typeof open>, number: number) {
  return store.prepare('INSERT INTO numbers VALUES (?)').run(number).changes;
}

test.each([
  ['new', undefined],
  ['readable by other users', 0o644],
])('The files of a store can be read only by their owner, even if they were %s', (_, mode) => {
  if (mode !== undefined) writeFileSync(join(directory, 'file.sqlite'), '', { mode });
  const store = open();
  const files = readdirSync(directory);
  expect(files.sort()).toEqual(['file.sqlite', 'file.sqlite-shm', 'file.sqlite-wal']);
  for (const file of files) expect(statSync(join(directory, file)).mode & 0o777).toBe(0o600);
  store.close();
});

test.each([
  ['no database', 'This is no database. '.repeat(99)],
  ['cut off', 'SQLite format 3\0'],
])('A store whose file is %s names the file and what to do', (_, content) => {
  const file = join(directory, 'file.sqlite');
  writeFileSync(file, content);
  const openFile = () => openStore(file).exec('CREATE TABLE numbers (number INTEGER)');
  expect(openFile).toThrow(UserError);
  expect(openFile).toThrow(
    new RegExp(
      `^${file} is damaged: .+\\. Restore it from a copy, or delete the folder ${directory} to start over\\.$`,
    ),
  );
});

test('A store with an invalid page is not opened', () => {
  const file = join(directory, 'file.sqlite');
  const store = open();
  inTransaction(store, () => Array.from({ length: 10_000 }, (_, number) => add(store, number)));
  store.close();
  const content = readFileSync(file);
  writeFileSync(file, content.fill(0xff, content.length / 2, content.length / 2 + 4_096));
  expect(() => openStore(file)).toThrow(UserError);
  expect(() => openStore(file)).toThrow(`${file} is damaged: `);
});

test('A transaction is atomic', () => {
  const store = open();
  const fail = () => {
    add(store, 1);
    throw new Error('no');
  };
  expect(() => inTransaction(store, fail)).toThrow('no');
  expect(inTransaction(store, () => add(store, 2))).toBe(1);
  store.close();
  const after = open();
  expect(after.prepare('SELECT number FROM numbers').all()).toEqual([{ number: 2 }]);
  after.close();
});

test.each([
  ['NORMAL', 1],
  ['FULL', 2],
] as const)('A store waits for the disk with the given mode: %s', (synchronous, expected) => {
  const store = openStore(join(directory, 'file.sqlite'), synchronous);
  expect(store.prepare('PRAGMA synchronous').get()).toEqual({ synchronous: expected });
  store.close();
});

import {
  chmodSync,
  copyFileSync,
  existsSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { inTransaction, openStore } from '../../platform/store.ts';
import { UserError } from '../../platform/user-error.ts';
import { useTestCloud } from '../support/emulators.ts';

const cloud = useTestCloud();
let file: string;
let log: string;
beforeEach(() => {
  file = cloud.file('file.sqlite');
  log = `${file}-wal`;
});

function open() {
  const store = openStore(file);
  cloud.use({ close: () => store.isOpen && store.close() });
  store.exec('CREATE TABLE IF NOT EXISTS numbers (number INTEGER)');
  return store;
}

const numbersIn = (store: ReturnType<typeof open>) =>
  store
    .prepare('SELECT number FROM numbers ORDER BY number')
    .all()
    .map(({ number }) => number);

function add(store: ReturnType<typeof open>, number: number) {
  return store.prepare('INSERT INTO numbers VALUES (?)').run(number).changes;
}

test.each([
  ['new', undefined],
  ['readable by other users', 0o644],
])('The files of a store can be read only by their owner, even if they were %s', (_, mode) => {
  if (mode !== undefined) {
    open().close();
    chmodSync(file, mode);
  }
  open();
  const files = readdirSync(cloud.directory);
  expect(files.sort()).toEqual(['file.sqlite', 'file.sqlite-shm', 'file.sqlite-wal']);
  for (const name of files) expect(statSync(cloud.file(name)).mode & 0o777).toBe(0o600);
});

test('A store whose file is no database names the file and what to do', () => {
  writeFileSync(file, 'This is no database. '.repeat(99));
  expect(() => openStore(file)).toThrow(UserError);
  expect(() => openStore(file)).toThrow(
    new RegExp(
      `^${file} is damaged: .+\\. Restore it from a copy, or delete the folder ${cloud.directory} to start over\\.$`,
    ),
  );
});

test('A store with an invalid page is not opened', () => {
  const store = open();
  fill(store, 10_000);
  store.close();
  const content = readFileSync(file);
  writeFileSync(file, content.fill(0xff, content.length / 2, content.length / 2 + 4_096));
  expect(() => openStore(file)).toThrow(UserError);
  expect(() => openStore(file)).toThrow(`${file} is damaged: `);
});

function fill(store: ReturnType<typeof open>, numbers: number): void {
  inTransaction(store, () => Array.from({ length: numbers }, (_, number) => add(store, number)));
}

test('A store whose file was cut off is not opened, whatever its length', () => {
  const store = open();
  fill(store, 1_000);
  store.close();
  const { size } = statSync(file);
  const lengths = [1, 15, 16, 31, 32, 33, 99, 100, 101, size - 1];
  for (let end = 0; end < size; end += 4_096) lengths.push(Math.max(0, end - 1), end, end + 2_000);
  const cut = cloud.file('cut.sqlite');
  for (const length of lengths.filter((one) => one < size)) {
    copyFileSync(file, cut);
    truncateSync(cut, length);
    expect(() => openStore(cut)).toThrow(`${cut} is damaged: `);
  }
});

test.each([
  ['random', (log: Buffer) => log.fill('random')],
  ['zero', (log: Buffer) => log.fill(0)],
  ['damaged only at its beginning', (log: Buffer) => log.fill(0xff, 0, 1)],
])(
  'A store whose write-ahead log is %s is not opened, because its last changes would be lost',
  (_, damage) => {
    const copy = cloud.file('copy.sqlite');
    const store = open();
    add(store, 1);
    for (const suffix of ['', '-wal']) copyFileSync(`${file}${suffix}`, `${copy}${suffix}`);
    writeFileSync(`${copy}-wal`, damage(readFileSync(`${copy}-wal`)));
    expect(() => openStore(copy)).toThrow(`${copy}-wal is damaged: its header is invalid.`);
    copyFileSync(log, `${copy}-wal`);
    const restored = cloud.use(openStore(copy));
    expect(numbersIn(restored)).toEqual([1]);
  },
);

test('A store whose creation was interrupted is created at the next start', () => {
  writeFileSync(`${file}.new`, 'SQLite');
  open().close();
  expect(existsSync(`${file}.new`)).toBe(false);
  const store = open();
  expect(add(store, 1)).toBe(1);
});

test('A store whose file was deleted does not read its old write-ahead log', () => {
  const before = open();
  add(before, 1);
  const content = readFileSync(log);
  before.close();
  rmSync(file);
  writeFileSync(log, content);
  const store = open();
  expect(numbersIn(store)).toEqual([]);
});

test('A transaction on a full disk throws the error of the disk, and changes nothing', () => {
  const store = open();
  add(store, 0);
  const { page_count: pages } = store.prepare('PRAGMA page_count').get() as { page_count: number };
  store.exec(`PRAGMA max_page_count = ${pages}`);
  expect(() => fill(store, 2_000)).toThrow(expect.objectContaining({ errcode: 13 }));
  store.exec(`PRAGMA max_page_count = ${pages + 100}`);
  inTransaction(store, () => add(store, 1));
  expect(numbersIn(store)).toEqual([0, 1]);
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
  expect(numbersIn(after)).toEqual([2]);
});

test.each([
  ['NORMAL', 1],
  ['FULL', 2],
] as const)('A store waits for the disk with the given mode: %s', (synchronous, expected) => {
  const store = cloud.use(openStore(file, synchronous));
  expect(store.prepare('PRAGMA synchronous').get()).toEqual({ synchronous: expected });
});

import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { LogFile } from '../../lambda/log-file.ts';
import { useTestCloud } from '../support/emulators.ts';

const megabyte = `${'x'.repeat(999_999)}\n`;

const cloud = useTestCloud();
let file: string;
beforeEach(() => {
  file = cloud.file('Bark.log');
});

const open = () => cloud.use(new LogFile(file));
const contentOf = (name: string) => readFileSync(cloud.file(name), 'utf8');

describe('A log file', () => {
  test('continues after a restart', () => {
    open().append('one\n');
    open().append('two\n');
    expect(contentOf('Bark.log')).toBe('one\ntwo\n');
    expect(readdirSync(cloud.directory)).toEqual(['Bark.log']);
  });

  test('has at most 10 MB together with the previous file, and keeps the newest lines', () => {
    const log = open();
    for (let i = 0; i < 23; i++) log.append(megabyte);
    log.append('last\n');
    const names = readdirSync(cloud.directory).sort();
    expect(names).toEqual(['Bark.log', 'Bark.log.1']);
    const sizes = names.map((name) => statSync(cloud.file(name)).size);
    expect(sizes).toEqual([3_000_005, 5_000_000]);
    expect(contentOf('Bark.log').endsWith('last\n')).toBe(true);
    for (const name of names) expect(statSync(cloud.file(name)).mode & 0o777).toBe(0o600);
  });

  test('that is too large at a start is moved', () => {
    writeFileSync(file, megabyte.repeat(6));
    open().append('new\n');
    expect(contentOf('Bark.log')).toBe('new\n');
    expect(contentOf('Bark.log.1')).toHaveLength(6_000_000);
  });

  test('writes a line that is larger than a file', () => {
    const log = open();
    log.append(megabyte.repeat(7));
    log.append('next\n');
    expect(contentOf('Bark.log')).toBe('next\n');
  });

  test('ignores lines after it is closed', () => {
    const log = open();
    log.close();
    log.append('late\n');
    expect(readdirSync(cloud.directory)).toEqual([]);
  });
});

import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { DataDirectory } from '@rest-actions/local-cloud';
import { eventually } from '@rest-actions/local-cloud/testing';
import { linkFile, openInBrowser, redirectTo } from '../../bin/browser.ts';

const link = 'http://127.0.0.1:3001/sign-in/0OhK7Rk2YyqkD2hXxYpZ5m';
const { PATH = '' } = process.env;
let directory: DataDirectory;

beforeEach(() => {
  directory = new DataDirectory(mkdtempSync(join(tmpdir(), 'browser-')));
});

/** Opens the link as `npm start` and `npx dogs open` do. */
function open(): void {
  directory.writeText(linkFile, redirectTo(link));
  openInBrowser(directory.file(linkFile));
}

afterEach(() => {
  process.env.PATH = PATH;
  directory.release();
  rmSync(directory.path, { recursive: true });
});

describe('openInBrowser', () => {
  // The script replaces the program that opens the default browser, whose name depends on the system.
  (process.platform === 'win32' ? test.skip : test)(
    'passes the browser a file with the link, which other users cannot read, and not the link itself',
    async () => {
      const opened = directory.file('opened');
      for (const name of ['open', 'xdg-open'])
        writeFileSync(directory.file(name), `#!/bin/sh\necho "$@" > ${opened}\n`, { mode: 0o700 });
      process.env.PATH = `${directory.path}${delimiter}${PATH}`;
      open();
      const page = directory.file(linkFile);
      await eventually(async () => expect(readFileSync(opened, 'utf8')).toBe(`${page}\n`), { interval: 5 });
      expect(readFileSync(page, 'utf8')).toContain(`content="0; url=${link}"`);
      expect(statSync(page).mode & 0o077).toBe(0);
    },
  );

  test('does nothing if there is no program that opens a browser', async () => {
    process.env.PATH = '';
    expect(open).not.toThrow();
    await new Promise((done) => setImmediate(done));
  });
});

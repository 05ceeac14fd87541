/*
 * A process whose files can have only a few kilobytes, so that a write fails in the middle of a line, as on a full disk. It writes
 * to the files of the local cloud until that happens, makes some space, and writes again. It prints what it has seen as JSON.
 */
import { readFileSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { LogFile } from '../../local/lambda/log-file.ts';
import { DataDirectory } from '../../local/platform/data-directory.ts';
import { JsonLines } from '../../local/platform/json-lines.ts';

const directory = new DataDirectory(process.argv[2] ?? '');

/** Calls a function until it throws. Returns the number of successful calls and the code of the error. */
function untilFull(write: (i: number) => void): [number, unknown] {
  for (let i = 0; ; i++)
    try {
      write(i);
    } catch (error) {
      return [i, (error as NodeJS.ErrnoException).code];
    }
}

function linesIn(file: string): unknown[] {
  return readFileSync(file, 'utf8').split('\n').filter(Boolean);
}

const mails = directory.file('mails.jsonl');
const items = new JsonLines<{ id: number }>(mails);
const [stored, mailError] = untilFull((id) => items.append({ id, text: 'x'.repeat(200) } as { id: number }));
const mailsWhileFull = items.read().length;
truncateSync(mails, 1_000);
items.append({ id: -1 });

const logFile = directory.file('Bark.log');
const log = new LogFile(logFile);
const [, logError] = untilFull((i) => log.append(`{"line":${i},"text":"${'x'.repeat(200)}"}\n`));
truncateSync(logFile, 1_000);
log.append('{"line":-1}\n');

directory.write('access.json', { words: 'old' });
const [, writeError] = untilFull(() => directory.write('access.json', { words: 'x'.repeat(100_000) }));
const kept = readFileSync(directory.file('access.json'), 'utf8');
directory.write('access.json', { words: 'new' });

writeFileSync(
  join(directory.path, 'seen.json'),
  JSON.stringify({
    errors: [mailError, logError, writeError],
    mails: { stored, whileFull: mailsWhileFull, after: items.read().map(({ id }) => id) },
    log: linesIn(logFile).slice(-1),
    access: {
      kept: JSON.parse(kept),
      after: JSON.parse(readFileSync(directory.file('access.json'), 'utf8')),
    },
  }),
);

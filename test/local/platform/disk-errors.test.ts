import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { explainDiskError } from '../../../local/platform/disk-errors.ts';
import { UserError } from '../../../local/platform/user-error.ts';

let directory: string;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'disk-'));
});
afterEach(() => rmSync(directory, { recursive: true }));

const codes = { ENOSPC: { code: 'ENOSPC' }, SQLITE_FULL: { errcode: 13 } };

describe('An error about a full disk', () => {
  test.each(Object.entries(codes))('is explained if the error is %s', (_, properties) => {
    const cause = Object.assign(new Error('write failed'), properties);
    const error = explainDiskError(directory, cause);
    expect(error).toBeInstanceOf(UserError);
    expect(error.message).toBe(
      `The disk of DATA_DIR ${directory} is full. Free some space, then start again.`,
    );
    expect(error.cause).toBe(cause);
  });

  test.each(Object.entries(codes))('is explained if its cause is %s', (_, properties) => {
    const cause = Object.assign(new Error('write failed'), properties);
    expect(explainDiskError(directory, new UserError('It did not start.', { cause })).message).toContain(
      'is full',
    );
  });

  test('is explained if the disk has no free space', () => {
    // The files in /proc are not on a disk, so /proc reports no free space.
    if (process.platform !== 'linux') return;
    expect(explainDiskError('/proc', new Error('disk I/O error')).message).toContain('is full');
  });

  test('is returned unchanged if the disk has free space', () => {
    const error = new Error('disk I/O error');
    expect(explainDiskError(directory, error)).toBe(error);
    expect(explainDiskError(join(directory, 'missing'), error)).toBe(error);
  });
});

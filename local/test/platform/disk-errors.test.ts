import { explainDiskError } from '../../platform/disk-errors.ts';
import { UserError } from '../../platform/user-error.ts';
import { useTestCloud } from '../support/emulators.ts';

const cloud = useTestCloud();

const codes = { ENOSPC: { code: 'ENOSPC' }, SQLITE_FULL: { errcode: 13 } };

describe('An error about a full disk', () => {
  test.each(Object.entries(codes))('is explained if the error, or its cause, is %s', (_, properties) => {
    const cause = Object.assign(new Error('write failed'), properties);
    const error = explainDiskError(cloud.directory, cause);
    expect(error).toBeInstanceOf(UserError);
    expect(error.message).toBe(
      `The disk of DATA_DIR ${cloud.directory} is full. Free some space, then start again.`,
    );
    expect(error.cause).toBe(cause);
    const outer = new UserError('It did not start.', { cause });
    expect(explainDiskError(cloud.directory, outer).message).toBe(error.message);
  });

  test('is explained if the disk has no free space', () => {
    // The files in /proc are not on a disk, so /proc reports no free space.
    if (process.platform !== 'linux') return;
    expect(explainDiskError('/proc', new Error('disk I/O error')).message).toContain('is full');
  });

  test('is returned unchanged if the disk has free space', () => {
    const error = new Error('disk I/O error');
    expect(explainDiskError(cloud.directory, error)).toBe(error);
    expect(explainDiskError(cloud.file('missing'), error)).toBe(error);
  });
});

import { statfsSync } from 'node:fs';
import { UserError } from './user-error.ts';

/** A disk with less free space counts as full, because starting the service writes several times as much. */
const minimumFreeBytes = 1_000_000;

/** SQLITE_FULL. */
export const sqliteFull = 13;

interface DiskError extends Error {
  readonly code?: string;
  readonly errcode?: number;
}

/**
 * Returns a UserError if the disk is full, and otherwise `cause`. Also checks the free space, because not every error reveals a
 * full disk.
 */
export function explainDiskError(directory: string, cause: unknown): Error {
  const error = cause as Error;
  if (!isAboutFullDisk(error) && hasFreeSpace(directory)) return error;
  return new UserError(`The disk of DATA_DIR ${directory} is full. Free some space, then start again.`, {
    cause,
  });
}

export function isAboutFullDisk(error: unknown): boolean {
  const { code, errcode, cause } = error as DiskError;
  if (code === 'ENOSPC' || errcode === sqliteFull) return true;
  return cause instanceof Error && isAboutFullDisk(cause);
}

function hasFreeSpace(directory: string): boolean {
  try {
    const { bavail, bsize } = statfsSync(directory);
    return bavail * bsize >= minimumFreeBytes;
  } catch {
    // The folder does not exist, or its file system does not report the free space.
    return true;
  }
}

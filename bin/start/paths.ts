import { relative } from 'node:path';

/** Returns a path relative to the working directory if that is shorter, or else the path itself. */
export function shortPath(path: string): string {
  const short = relative('', path);
  return short.length < path.length ? short : path;
}

/** Returns an argument for a shell, in quotation marks if it contains special characters. */
export function quoted(argument: string): string {
  if (/^[\w./:\\-]+$/.test(argument)) return argument;
  return process.platform === 'win32' ? `"${argument}"` : `'${argument.replaceAll("'", "'\\''")}'`;
}

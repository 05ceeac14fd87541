import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';

export function processesWith(text: string): number[] {
  return commandLines().flatMap(({ pid, args }) => (args.includes(text) ? [pid] : []));
}

function commandLines(): { pid: number; args: string }[] {
  if (process.platform !== 'linux')
    return execFileSync('ps', ['-A', '-ww', '-o', 'pid=,args='], { encoding: 'utf8' })
      .split('\n')
      .map((line) => ({ pid: Number.parseInt(line, 10), args: line }));
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map((name) => ({ pid: Number(name), args: commandLineOf(name).replaceAll('\0', ' ') }));
}

function commandLineOf(pid: string): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8');
  } catch {
    return ''; // The process has just ended.
  }
}

import type { commandRunner } from './runner.ts';

/** Sets the terminal's title, clears the screen, colors it, reverses the text, and begins a line. */
export const evil = '\u001b]0;evil\u0007\u001b[2J\u009b31m\u202egnp.\u2028\r\nPassword: \u007f\ud83d';
export const unprintable = /(?!\n)[\p{Cc}\p{Bidi_Control}\p{Zl}\p{Zp}\p{Cs}]/u;

/** Runs a command that prints the text. @returns its JSON, if it succeeds with `--json` */
export async function printEvil(
  dogs: ReturnType<typeof commandRunner>['dogs'],
  args: string,
): Promise<unknown> {
  const { stdout, stderr } = await dogs(args);
  expect(stdout + stderr).toMatch(/]0;evil/);
  expect(stdout + stderr).not.toMatch(unprintable);
  const { code, ...printed } = await dogs(`${args} --json`);
  expect(printed.stdout + printed.stderr).not.toMatch(unprintable);
  return code === 0 ? JSON.parse(printed.stdout) : undefined;
}

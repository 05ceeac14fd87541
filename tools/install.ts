import { execFileSync } from 'node:child_process';
import { copyFileSync, existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Installs the packages of a folder that contains its own `package.json`, unless they are installed and up to date. */
export function install(folder: string): void {
  const [lock, installed] = ['package-lock.json', 'node_modules/.installed-lock.json'].map((file) =>
    join(folder, file),
  ) as [string, string];
  if (existsSync(installed) && readFileSync(installed).equals(readFileSync(lock))) return;
  // npm tells its scripts the path of its own module. On Windows, `npm` itself is a script that only a shell can run.
  const npm = process.env.npm_execpath;
  if (!npm) throw new Error(`The packages in ${folder} are not installed. Run \`npm ci\` there.`);
  execFileSync(process.execPath, [npm, 'ci'], { cwd: folder, stdio: 'inherit' });
  copyFileSync(lock, installed);
}

import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { readAssembly, type Synthesized, synthesize } from './synthesize.ts';

/** A stack to synthesize. */
export interface Synthesis {
  /** Context values that take precedence over those of `cdk.json`. */
  readonly settings: Readonly<Record<string, string>>;
  /** The folder for the template and its assets. */
  readonly directory: string;
  /** The files and folders of the project that determine the stack, relative to the project. Missing ones count as such. */
  readonly inputs: readonly string[];
  /** The folder that has the `cdk.json`. */
  readonly project?: string;
}

/**
 * Returns the stack of the last synthesis if neither its inputs nor its output have changed since. Otherwise synthesizes the stack.
 * The digests of the inputs and of the output are in a file beside the folder. That file exists only after a complete synthesis.
 *
 * @param run synthesizes a stack
 * @throws the errors of `Synthesizer.synthesize`
 */
export async function synthesizeIfChanged(
  { settings, directory, inputs, project = process.cwd() }: Synthesis,
  run = synthesize,
): Promise<Synthesized> {
  const digestFile = `${directory}.digest`;
  // The app may miss changes that happen while it runs, so the digest is the one before the run.
  const input = digestOf(project, inputs, JSON.stringify(settings));
  const isCurrent =
    existsSync(digestFile) && readFileSync(digestFile, 'utf8') === `${input} ${digestOf(directory, ['.'])}`;
  if (isCurrent) return readAssembly(directory);
  rmSync(digestFile, { force: true });
  const synthesized = await run(settings, directory, project);
  writeFileSync(digestFile, `${input} ${digestOf(directory, ['.'])}`);
  return synthesized;
}

/** Returns a digest of a text, and of the paths and contents of all files in the given files and folders. */
function digestOf(root: string, paths: readonly string[], text = ''): string {
  const digest = createHash('sha256').update(JSON.stringify(text));
  for (const file of paths.flatMap((path) => filesIn(join(root, path))).sort()) {
    const content = readFileSync(file);
    digest.update(JSON.stringify([relative(root, file), content.length])).update(content);
  }
  return digest.digest('hex');
}

/** Returns the files in a folder, or the path itself if it is a file. */
function filesIn(path: string): string[] {
  if (!existsSync(path)) return [];
  if (!statSync(path).isDirectory()) return [path];
  return readdirSync(path, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
}

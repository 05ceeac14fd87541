import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { assetsOf, readAssembly, type Synthesis, type Synthesized, Synthesizer } from './synthesize.ts';

export interface CachedSynthesis extends Synthesis {
  /** As in `CdkApp`. The files and folders need not exist. */
  readonly inputs: readonly string[];
}

/**
 * Runs the CDK app only if its inputs, its settings, its output or the version of Node has changed since the last synthesis. The
 * digest file beside the output folder exists only after a complete synthesis.
 */
export class CachedSynthesizer {
  private readonly synthesis: CachedSynthesis;
  private readonly app: Pick<Synthesizer, 'synthesize' | 'stop'>;
  private readonly digestFile: string;
  /** True if a running stack may use the assets in the folder. */
  private isInUse = false;

  constructor(
    synthesis: CachedSynthesis,
    app: Pick<Synthesizer, 'synthesize' | 'stop'> = new Synthesizer(synthesis),
  ) {
    this.synthesis = synthesis;
    this.app = app;
    this.digestFile = `${synthesis.directory}.digest`;
  }

  /** The first call deletes the folder if the stack is not up to date. Later calls keep the assets of earlier ones. */
  async synthesize(): Promise<Synthesized> {
    const { settings, directory, inputs, project } = this.synthesis;
    // The app may miss changes that happen while it runs, so the digest is computed before the run.
    const input = digestOf(project, inputs, JSON.stringify([process.version, settings]));
    const kept = this.keptStack(input);
    if (!kept) rmSync(this.digestFile, { force: true });
    if (!kept && !this.isInUse) rmSync(directory, { recursive: true, force: true });
    this.isInUse = true;
    if (kept) return kept;
    const synthesized = await this.app.synthesize();
    writeFileSync(this.digestFile, digestsOf(input, synthesized));
    return synthesized;
  }

  stop(): void {
    this.app.stop();
  }

  /** Returns undefined if the stack in the folder is incomplete or not up to date. */
  private keptStack(input: string): Synthesized | undefined {
    try {
      const known = readFileSync(this.digestFile, 'utf8');
      const kept = known.startsWith(input) ? readAssembly(this.synthesis.directory) : undefined;
      return kept && digestsOf(input, kept) === known ? kept : undefined;
    } catch {
      return undefined;
    }
  }
}

function digestsOf(input: string, { template, directory }: Synthesized): string {
  const used = assetsOf(template);
  const output = readdirSync(directory).filter((name) => !name.startsWith('asset.') || used.has(name));
  return `${input} ${digestOf(directory, output)}`;
}

/** Covers the text, and the path and content of each file that is given or is in a given folder. */
function digestOf(root: string, paths: readonly string[], text = ''): string {
  const digest = createHash('sha256').update(JSON.stringify(text));
  for (const file of paths.flatMap((path) => filesIn(join(root, path))).sort()) {
    const content = readFileSync(file);
    digest.update(JSON.stringify([relative(root, file), content.length])).update(content);
  }
  return digest.digest('hex');
}

/** Ignores installed packages, which the lock file determines. */
function filesIn(path: string): string[] {
  if (!existsSync(path)) return [];
  if (!statSync(path).isDirectory()) return [path];
  return readdirSync(path, { withFileTypes: true })
    .filter(({ name }) => name !== 'node_modules')
    .flatMap((entry) => filesIn(join(path, entry.name)));
}

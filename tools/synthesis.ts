import { type CachedSynthesis, CachedSynthesizer } from '../local/template/synthesis-cache.ts';
import type { Synthesized } from '../local/template/synthesize.ts';

/** Synthesizes a stack unless it is up to date, and then ends the app's process. */
export async function synthesize(synthesis: CachedSynthesis): Promise<Synthesized> {
  const synthesizer = new CachedSynthesizer(synthesis);
  return synthesizer.synthesize().finally(() => synthesizer.stop());
}

import type { Synthesized } from '@rest-actions/local-cloud/template';
import { type CachedSynthesis, CachedSynthesizer } from '@rest-actions/local-cloud/template';

/** Synthesizes a stack, by default that of the stage `prod`, unless it is up to date, and then ends the app's process. */
export async function synthesize({ settings, ...synthesis }: CachedSynthesis): Promise<Synthesized> {
  const synthesizer = new CachedSynthesizer({ ...synthesis, settings: { stage: 'prod', ...settings } });
  return synthesizer.synthesize().finally(() => synthesizer.stop());
}

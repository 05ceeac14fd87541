import { bundleAhead } from '../lib/bundles.ts';
import { entries } from '../lib/entries.ts';
import { SettingsError } from '../lib/stages.ts';
import { pages } from './pages.ts';

// esbuild bundles the functions in another process, while this one creates the pages and loads the CDK.
const [, files, { createApp }] = await Promise.all([bundleAhead(entries), pages(), import('../lib/app.ts')]);
try {
  createApp(files).synth();
} catch (error) {
  if (!(error instanceof SettingsError)) throw error;
  console.error(error.message);
  process.exit(1);
}

import { bundleAhead, OutputError } from '../lib/bundles.ts';
import { entries } from '../lib/entries.ts';
import { SettingsError } from '../lib/stages.ts';
import { pages } from './pages.ts';

try {
  // esbuild bundles the functions in another process, while this one creates the pages and loads the CDK.
  const app = import('../lib/app.ts');
  const [, files, { createApp }] = await Promise.all([bundleAhead(entries), pages(), app]);
  createApp(files).synth();
} catch (error) {
  if (!(error instanceof SettingsError || error instanceof OutputError)) throw error;
  console.error(error.message);
  process.exit(1);
}

import { createApp } from '../lib/app.ts';
import { SettingsError } from '../lib/settings.ts';
import { pages } from './pages.ts';

try {
  createApp(pages()).synth();
} catch (error) {
  if (!(error instanceof SettingsError)) throw error;
  console.error(error.message);
  process.exit(1);
}

import { createApp } from '../lib/app.ts';
import { SettingsError } from '../lib/settings.ts';

try {
  createApp().synth();
} catch (error) {
  if (!(error instanceof SettingsError)) throw error;
  console.error(error.message);
  process.exit(1);
}

import { App, type AppProps } from 'aws-cdk-lib';
import { CURRENTLY_RECOMMENDED_FLAGS } from 'aws-cdk-lib/cx-api';
import type { FilesOfEntries } from './bundles.ts';
import { DogServiceStack } from './dog-service-stack.ts';
import type { Settings } from './settings.ts';
import { settingsInContext, stackOf } from './stages.ts';

/**
 * @param pages the files that each function serves, keyed by the function's entry module, relative to `lambdas/`
 * @param given the settings of the only stack; by default, the app has the stacks of the stages in the CDK context
 * @throws SettingsError if a stage does not exist, or if a setting is invalid or unknown
 */
export function createApp(
  pages: FilesOfEntries,
  { context, ...props }: AppProps = {},
  given?: Settings,
): App {
  const app = new App({ ...props, context: { ...CURRENTLY_RECOMMENDED_FLAGS, ...context } });
  for (const settings of given ? [given] : settingsInContext(app.node))
    new DogServiceStack(app, stackOf(settings.stage), settings, pages);
  return app;
}

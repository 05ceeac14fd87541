import { App, type AppProps } from 'aws-cdk-lib';
import { CURRENTLY_RECOMMENDED_FLAGS } from 'aws-cdk-lib/cx-api';
import type { FilesOfEntries } from './bundles.ts';
import { DogServiceStack } from './dog-service-stack.ts';
import { readSettings } from './settings.ts';

/**
 * Creates the CDK app, with the feature flags that the CDK recommends. The app contains one stack, for the stage that the
 * context names.
 *
 * @param pages the files that functions serve
 */
export function createApp(pages: FilesOfEntries, { context, ...props }: AppProps = {}): App {
  const app = new App({ ...props, context: { ...CURRENTLY_RECOMMENDED_FLAGS, ...context } });
  const settings = readSettings(app.node);
  new DogServiceStack(app, `DogService-${settings.stage}`, settings, pages);
  return app;
}

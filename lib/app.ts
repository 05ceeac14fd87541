import { App, type AppProps } from 'aws-cdk-lib';
import { CURRENTLY_RECOMMENDED_FLAGS } from 'aws-cdk-lib/cx-api';
import { DogServiceStack } from './dog-service-stack.ts';
import { readSettings } from './settings.ts';

/** The CDK app: the stack of one stage, which the context names, with all that the CDK recommends for a new app. */
export function createApp({ context, ...props }: AppProps = {}): App {
  const app = new App({ ...props, context: { ...CURRENTLY_RECOMMENDED_FLAGS, ...context } });
  const settings = readSettings(app.node);
  new DogServiceStack(app, `DogService-${settings.stage}`, settings);
  return app;
}

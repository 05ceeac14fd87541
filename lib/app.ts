import { App, type AppProps } from 'aws-cdk-lib';
import { DogServiceStack } from './dog-service-stack.ts';
import { readSettings } from './settings.ts';

/** The CDK app: the stack of one stage, which the context names. */
export function createApp(props?: AppProps): App {
  const app = new App(props);
  const settings = readSettings(app.node);
  new DogServiceStack(app, `DogService-${settings.stage}`, settings);
  return app;
}

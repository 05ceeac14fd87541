import { App, SecretValue, Stack } from 'aws-cdk-lib';
import { Match, Template } from 'aws-cdk-lib/assertions';
import { Webhook } from '../../examples/webhook/webhook.ts';

test('Webhook posts the detail of each event on the bus of the service, as a structured CloudEvent', () => {
  // The validation by the CDK takes longer than the rest.
  const app = new App({ builtinCloudFormationValidation: false });
  const stack = new Stack(app, 'Webhook');
  new Webhook(stack, 'Webhook', {
    busName: 'dogs-prod',
    url: 'https://hooks.example.org/dogs',
    apiKey: SecretValue.secretsManager('webhook-key'),
    types: ['dogs.bark.completed'],
  });
  const template = Template.fromStack(stack);
  template.hasResourceProperties('AWS::Events::Rule', {
    EventBusName: 'dogs-prod',
    EventPattern: { source: ['dogs'], 'detail-type': ['dogs.bark.completed'] },
    Targets: [
      Match.objectLike({
        InputPath: '$.detail',
        HttpParameters: {
          HeaderParameters: { 'Content-Type': 'application/cloudevents+json' },
        },
        DeadLetterConfig: { Arn: Match.anyValue() },
        RetryPolicy: { MaximumEventAgeInSeconds: 86_400, MaximumRetryAttempts: 185 },
      }),
    ],
  });
  template.hasResourceProperties('AWS::Events::ApiDestination', {
    HttpMethod: 'POST',
    InvocationEndpoint: 'https://hooks.example.org/dogs',
  });
  template.hasResourceProperties('AWS::Events::Connection', { AuthorizationType: 'API_KEY' });
});

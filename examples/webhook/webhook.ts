import { Duration, type SecretValue } from 'aws-cdk-lib';
import {
  ApiDestination,
  Authorization,
  Connection,
  EventBus,
  type IApiDestination,
  Rule,
  RuleTargetInput,
} from 'aws-cdk-lib/aws-events';
import { ApiDestination as ApiDestinationTarget } from 'aws-cdk-lib/aws-events-targets';
import { Queue } from 'aws-cdk-lib/aws-sqs';
import { Construct } from 'constructs';

interface WebhookProps {
  /** The dog service's output `EventBus`, such as `dogs-prod`. */
  readonly busName: string;
  /** The HTTPS URL that receives each event as the body of a POST. */
  readonly url: string;
  /** The value of the header `X-Api-Key`, by which the receiver recognizes the sender. */
  readonly apiKey: SecretValue;
  /** The event types to post. By default, all types. */
  readonly types?: string[];
}

/**
 * Posts the events of a dog service to a webhook, as CloudEvents in the structured content mode. Use this construct in a stack in
 * the service's account and region. After a timeout or a temporary error, EventBridge repeats a POST for up to a day.
 * Undeliverable events go to `failed`.
 *
 * @see {@link https://docs.aws.amazon.com/eventbridge/latest/userguide/eb-api-destinations-cloudevents.html CloudEvents in EventBridge}
 */
export class Webhook extends Construct {
  readonly failed: Queue;

  constructor(scope: Construct, id: string, { busName, url, apiKey, types }: WebhookProps) {
    super(scope, id);
    this.failed = new Queue(this, 'Failed', { retentionPeriod: Duration.days(14), enforceSSL: true });
    const connection = new Connection(this, 'Connection', {
      authorization: Authorization.apiKey('X-Api-Key', apiKey),
    });
    // TypeScript does not accept how the class declares an optional property.
    const destination = new ApiDestination(this, 'Destination', {
      connection,
      endpoint: url,
      rateLimitPerSecond: 50,
    }) as IApiDestination;
    new Rule(this, 'Rule', {
      eventBus: EventBus.fromEventBusName(this, 'Bus', busName),
      eventPattern: { source: ['dogs'], ...(types && { detailType: types }) },
      targets: [
        new ApiDestinationTarget(destination, {
          // The CloudEvent, without EventBridge's envelope.
          event: RuleTargetInput.fromEventPath('$.detail'),
          // Replaces `application/json; charset=utf-8`. The SDK for Node does not recognize every charset.
          headerParameters: { 'Content-Type': 'application/cloudevents+json' },
          retryAttempts: 185,
          maxEventAge: Duration.days(1),
          deadLetterQueue: this.failed,
        }),
      ],
    });
  }
}

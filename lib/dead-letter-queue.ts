import { Duration } from 'aws-cdk-lib';
import type { Grant, IGrantable } from 'aws-cdk-lib/aws-iam';
import { type CfnQueue, Queue, QueueEncryption } from 'aws-cdk-lib/aws-sqs';
import type { Construct } from 'constructs';
import { alarmOn } from './alarms.ts';
import type { Encryption } from './encryption.ts';
import type { ServiceFunction } from './service-function.ts';

/** Holds failed events or, without `lambda`, notifications for the operator. A message in the queue triggers an alarm. */
export class DeadLetterQueue extends Queue {
  /** Receives redriven events. Undefined for notifications. */
  readonly lambda: ServiceFunction | undefined;
  private readonly encryption: Encryption;

  constructor(
    scope: Construct,
    id: string,
    {
      lambda,
      alarmDescription,
      queueName,
      encryption,
    }: {
      lambda?: ServiceFunction;
      alarmDescription: string;
      queueName?: string;
      encryption: Encryption;
    },
  ) {
    super(scope, id, {
      retentionPeriod: Duration.days(14),
      enforceSSL: true,
      ...(!encryption.key && { encryption: QueueEncryption.SQS_MANAGED }),
      ...(queueName !== undefined && { queueName }),
    });
    this.lambda = lambda;
    this.encryption = encryption;
    // If `Queue` received the key as a property, it would grant senders more permissions than they need.
    if (encryption.key) (this.node.defaultChild as CfnQueue).kmsMasterKeyId = encryption.key.keyArn;
    alarmOn(scope, `${id}Alarm`, {
      metric: this.metricApproximateNumberOfMessagesVisible(),
      alarmDescription,
    });
  }

  override grantSendMessages(grantee: IGrantable): Grant {
    this.encryption.grantWrite(grantee, 'sqs');
    return super.grantSendMessages(grantee);
  }
}

import { Stack } from 'aws-cdk-lib';
import { type IGrantable, type ManagedPolicy, PolicyStatement } from 'aws-cdk-lib/aws-iam';
import { type IKey, Key } from 'aws-cdk-lib/aws-kms';
import { Construct } from 'constructs';

type Service = 'dynamodb' | 'secretsmanager' | 'sqs';

/**
 * The KMS key that the settings name, if they name one, and the roles that may use it through each service. The key
 * encrypts tables, secrets, queues and logs. CloudWatch Logs and EventBridge use it as themselves: the key's own policy
 * must allow them to, which the stack cannot change.
 */
export class Encryption extends Construct {
  readonly key: IKey | undefined;

  constructor(scope: Construct, id: string, keyArn: string) {
    super(scope, id);
    this.key = keyArn === '' ? undefined : Key.fromKeyArn(this, 'Key', keyArn);
  }

  /** Lets a role read what a service keeps encrypted. DynamoDB needs no more for writing. */
  allowRead(grantee: IGrantable, service: Service): void {
    this.allow(grantee, ['kms:Decrypt'], service);
  }

  /** Lets a role write what a service keeps encrypted. */
  allowWrite(grantee: IGrantable, service: Service): void {
    this.allow(grantee, ['kms:Decrypt', 'kms:GenerateDataKey'], service);
  }

  /** Lets the operator's commands read and write what the services keep encrypted. */
  allowOperator(policy: ManagedPolicy): void {
    if (!this.key) return;
    const { region } = Stack.of(this);
    policy.addStatements(
      new PolicyStatement({
        actions: ['kms:Decrypt', 'kms:GenerateDataKey'],
        resources: [this.key.keyArn],
        conditions: {
          StringEquals: {
            'kms:ViaService': ['dynamodb', 'secretsmanager', 'sqs'].map(
              (service) => `${service}.${region}.amazonaws.com`,
            ),
          },
        },
      }),
    );
  }

  /** The role may use the key only through the service. */
  private allow(grantee: IGrantable, actions: string[], service: Service): void {
    if (!this.key) return;
    grantee.grantPrincipal.addToPrincipalPolicy(
      new PolicyStatement({
        actions,
        resources: [this.key.keyArn],
        conditions: {
          StringEquals: { 'kms:ViaService': `${service}.${Stack.of(this).region}.amazonaws.com` },
        },
      }),
    );
  }
}

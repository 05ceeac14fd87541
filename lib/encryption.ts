import { Stack } from 'aws-cdk-lib';
import { type IGrantable, PolicyStatement } from 'aws-cdk-lib/aws-iam';
import { type IKey, Key } from 'aws-cdk-lib/aws-kms';
import { Construct } from 'constructs';

const services = ['dynamodb', 'secretsmanager', 'sqs'] as const;
type Service = (typeof services)[number];

const readActions = ['kms:Decrypt'];
const writeActions = ['kms:Decrypt', 'kms:GenerateDataKey'];

/**
 * The KMS key in the settings, if there is one. The key encrypts tables, secrets, queues and logs. This construct grants roles
 * permission to use the key through particular services. CloudWatch Logs and EventBridge use the key as service principals. The
 * operator must permit that in the key policy, which the stack cannot change.
 */
export class Encryption extends Construct {
  readonly key: IKey | undefined;

  constructor(scope: Construct, id: string, keyArn: string) {
    super(scope, id);
    this.key = keyArn === '' ? undefined : Key.fromKeyArn(this, 'Key', keyArn);
  }

  /** Grants a role permission to read data that a service has encrypted. Writing to DynamoDB requires nothing more. */
  grantRead(grantee: IGrantable, service: Service): void {
    this.grant(grantee, readActions, service);
  }

  /** Grants a role permission to read and write data that a service encrypts. */
  grantWrite(grantee: IGrantable, service: Service): void {
    this.grant(grantee, writeActions, service);
  }

  /** Adds the permissions to read and write encrypted data in DynamoDB, Secrets Manager and SQS to the policy of the operator CLI. */
  grantOperator(policy: IGrantable): void {
    this.grant(policy, writeActions, services);
  }

  /** Grants a role or a policy permission to use the key through these services. Does nothing if there is no key. */
  private grant(grantee: IGrantable, actions: string[], service: Service | readonly Service[]): void {
    if (!this.key) return;
    const { region } = Stack.of(this);
    const endpointOf = (one: Service) => `${one}.${region}.amazonaws.com`;
    grantee.grantPrincipal.addToPrincipalPolicy(
      new PolicyStatement({
        actions,
        resources: [this.key.keyArn],
        conditions: {
          StringEquals: {
            'kms:ViaService': typeof service === 'string' ? endpointOf(service) : service.map(endpointOf),
          },
        },
      }),
    );
  }
}

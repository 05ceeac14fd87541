import { Stack } from 'aws-cdk-lib';
import { type IGrantable, PolicyStatement } from 'aws-cdk-lib/aws-iam';
import { type IKey, Key } from 'aws-cdk-lib/aws-kms';
import { Construct } from 'constructs';

const services = ['dynamodb', 'secretsmanager', 'sqs'] as const;
type Service = (typeof services)[number];

const readActions = ['kms:Decrypt'];
const writeActions = ['kms:Decrypt', 'kms:GenerateDataKey'];

/**
 * CloudWatch Logs and EventBridge use the key as service principals. The operator must permit that in the key policy,
 * which the stack cannot change.
 */
export class Encryption extends Construct {
  readonly key: IKey | undefined;

  constructor(scope: Construct, id: string, keyArn: string) {
    super(scope, id);
    this.key = keyArn === '' ? undefined : Key.fromKeyArn(this, 'Key', keyArn);
  }

  /** For DynamoDB, this permission also suffices for writes. */
  grantRead(grantee: IGrantable, service: Service): void {
    this.grant(grantee, readActions, service);
  }

  grantWrite(grantee: IGrantable, service: Service): void {
    this.grant(grantee, writeActions, service);
  }

  grantOperator(policy: IGrantable): void {
    this.grant(policy, writeActions, services);
  }

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

import { Stack } from 'aws-cdk-lib';
import { type IKey, Key } from 'aws-cdk-lib/aws-kms';
import { Construct } from 'constructs';
import type { ServiceFunction } from './service-function.ts';

type Service = 'dynamodb' | 'secretsmanager';

/** The key of KMS that the settings name, if they name one, and who may use it by which service. */
export class Encryption extends Construct {
  readonly key: IKey | undefined;

  constructor(scope: Construct, id: string, keyArn: string) {
    super(scope, id);
    this.key = keyArn === '' ? undefined : Key.fromKeyArn(this, 'Key', keyArn);
  }

  /** Lets a function read what a service keeps encrypted; DynamoDB needs no more for writing. */
  allowRead(lambda: ServiceFunction, service: Service): void {
    this.allow(lambda, ['kms:Decrypt'], service);
  }

  allowWrite(lambda: ServiceFunction, service: Service): void {
    this.allow(lambda, ['kms:Decrypt', 'kms:GenerateDataKey'], service);
  }

  /** The key may be used only as a service does on the function's behalf. */
  private allow(lambda: ServiceFunction, actions: string[], service: Service): void {
    if (!this.key) return;
    lambda.allow(actions, [this.key.keyArn], {
      StringEquals: { 'kms:ViaService': `${service}.${Stack.of(this).region}.amazonaws.com` },
    });
  }
}

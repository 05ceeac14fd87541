import { Stack } from 'aws-cdk-lib';
import { type IKey, Key } from 'aws-cdk-lib/aws-kms';
import { Construct } from 'constructs';
import type { ServiceFunction } from './service-function.ts';

/** The key of KMS that the settings name, if they name one, and who may use it by which service. */
export class Encryption extends Construct {
  readonly key: IKey | undefined;

  constructor(scope: Construct, id: string, keyArn: string) {
    super(scope, id);
    this.key = keyArn === '' ? undefined : Key.fromKeyArn(this, 'Key', keyArn);
  }

  /** Lets a function use the key, but only as a service does on its behalf. */
  allow(lambda: ServiceFunction, service: 'dynamodb' | 'secretsmanager'): void {
    if (!this.key) return;
    lambda.allow(['kms:Decrypt', 'kms:DescribeKey', 'kms:GenerateDataKey'], [this.key.keyArn], {
      StringEquals: { 'kms:ViaService': `${service}.${Stack.of(this).region}.amazonaws.com` },
    });
  }
}

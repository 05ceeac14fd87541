import type { RemovalPolicy } from 'aws-cdk-lib';
import {
  type Attribute,
  AttributeType,
  BillingMode,
  StreamViewType,
  Table,
  TableEncryption,
} from 'aws-cdk-lib/aws-dynamodb';
import { Construct } from 'constructs';
import type { Capabilities } from '../lambdas/contract/routes.ts';
import type { Environment } from '../lambdas/environment.ts';
import type { Encryption } from './encryption.ts';
import type { ServiceFunction } from './service-function.ts';

const variables = {
  dogs: 'DOGS_TABLE',
  barks: 'BARKS_TABLE',
  access: 'ACCESS_TABLE',
} as const satisfies Partial<Record<keyof Capabilities, keyof Environment>>;

interface TableSettings {
  readonly deletionProtection: boolean;
  readonly removalPolicy: RemovalPolicy;
  readonly events: boolean; // @extension events
}

/** The tables for dogs, for the items that belong to a dog, and for access: users, clients, grants and public keys. */
export class Tables extends Construct {
  readonly dogs: Table;
  readonly barks: Table;
  readonly access: Table;
  private readonly encryption: Encryption;

  constructor(scope: Construct, id: string, encryption: Encryption, settings: TableSettings) {
    super(scope, id);
    const { deletionProtection, removalPolicy } = settings;
    this.encryption = encryption;
    const key = (name: string): Attribute => ({ name, type: AttributeType.STRING });
    const common = {
      billingMode: BillingMode.PAY_PER_REQUEST,
      pointInTimeRecoverySpecification: { pointInTimeRecoveryEnabled: true },
      ...(encryption.key && {
        encryption: TableEncryption.CUSTOMER_MANAGED,
        encryptionKey: encryption.key,
      }),
      removalPolicy,
      // DynamoDB's deletion protection would prevent the rollback of a failed first deployment. So the template can
      // only turn the protection off, and `npm run deploy` turns it on after the deployment has succeeded.
      ...(!deletionProtection && { deletionProtection }),
    };
    this.dogs = new Table(this, 'Dogs', {
      ...common,
      partitionKey: key('id'),
      // For the purge, which needs only the old image.
      // @extension events {
      // If the view type changed with the setting `events`, CloudFormation would create another stream, and the purge
      // would lose the deletions that it had not read yet.
      // @extension events }
      stream: StreamViewType.NEW_AND_OLD_IMAGES,
    });
    this.barks = new Table(this, 'Barks', {
      ...common,
      partitionKey: key('dog'),
      sortKey: key('sk'),
      timeToLiveAttribute: 'expires',
      ...(settings.events && { stream: StreamViewType.NEW_AND_OLD_IMAGES }), // @extension events
    });
    this.access = new Table(this, 'Access', { ...common, partitionKey: key('pk') });
  }

  grant(lambda: ServiceFunction): void {
    for (const name of ['dogs', 'barks', 'access'] as const) {
      const actions = lambda.capabilities[name];
      if (!actions) continue;
      lambda.addEnvironment(variables[name], this[name].tableName);
      this[name].grant(lambda, ...actions.map((action) => `dynamodb:${action}`));
      this.encryption.grantRead(lambda, 'dynamodb');
    }
  }
}

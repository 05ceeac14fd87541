import { type AttributeValue, DynamoDBClient, PutItemCommand, paginateScan } from '@aws-sdk/client-dynamodb';
import { CreateScheduleCommand, GetScheduleCommand, SchedulerClient } from '@aws-sdk/client-scheduler';
import {
  GetSecretValueCommand,
  PutSecretValueCommand,
  SecretsManagerClient,
} from '@aws-sdk/client-secrets-manager';
import { operatorAccess } from '../operator-access.ts';

/** The tables, by the names of the outputs that contain their names. */
const tables = ['DogsTable', 'BarksTable', 'AccessTable'] as const;

type Item = Record<string, AttributeValue>;

/** A schedule in EventBridge Scheduler. */
interface StoredSchedule {
  readonly name: string;
  readonly expression: string;
  /** The time of the first invocation, in ISO 8601. */
  readonly start?: string;
  /** The input of the target function, as JSON. */
  readonly input: string;
}

/** Everything that the service has stored in AWS. */
export interface StoredData {
  readonly items: Readonly<Record<(typeof tables)[number], readonly Item[]>>;
  /** The value of the secret that contains the signing key. */
  readonly signingKey: string;
  readonly schedules: readonly StoredSchedule[];
}

/** The clients of the AWS services in which a service on this machine stores its data. */
class DataStores {
  readonly outputs;
  readonly database;
  readonly secrets;
  readonly scheduler;

  constructor(directory: string) {
    const { client, outputs } = operatorAccess(directory);
    this.outputs = outputs;
    this.database = new DynamoDBClient(client);
    this.secrets = new SecretsManagerClient(client);
    this.scheduler = new SchedulerClient(client);
  }

  close(): void {
    for (const client of [this.database, this.secrets, this.scheduler]) client.destroy();
  }
}

/** Reads what the service that runs on a folder has stored. */
export async function readStoredData(directory: string): Promise<StoredData> {
  const stores = new DataStores(directory);
  const { outputs, secrets } = stores;
  try {
    const { SecretString = '' } = await secrets.send(
      new GetSecretValueCommand({ SecretId: outputs.SigningKeySecret }),
    );
    const items = await Promise.all(tables.map(async (table) => [table, await itemsIn(stores, table)]));
    const stored: StoredData['items'] = Object.fromEntries(items);
    return {
      items: stored,
      signingKey: SecretString,
      schedules: await schedulesOf(stored.DogsTable, stores),
    };
  } finally {
    stores.close();
  }
}

async function itemsIn({ database: client, outputs }: DataStores, table: string): Promise<Item[]> {
  const items: Item[] = [];
  const pages = paginateScan({ client }, { TableName: outputs[table], ConsistentRead: true });
  for await (const page of pages) items.push(...(page.Items ?? []));
  return items;
}

async function schedulesOf(
  dogs: readonly Item[],
  { scheduler, outputs }: DataStores,
): Promise<StoredSchedule[]> {
  const names = dogs.flatMap(({ id, schedule }) =>
    schedule ? [`${id?.S}.${schedule.M?.scheduleId?.S}`] : [],
  );
  return Promise.all(
    names.map(async (name) => {
      const found = await scheduler.send(
        new GetScheduleCommand({ Name: name, GroupName: outputs.ScheduleGroup }),
      );
      const { ScheduleExpression: expression = '', StartDate, Target } = found;
      const start = StartDate && { start: StartDate.toISOString() };
      return { name, expression, ...start, input: Target?.Input ?? '' };
    }),
  );
}

/** Stores data for the service that runs on a folder. Replaces items that exist. */
export async function writeStoredData(
  directory: string,
  { items, signingKey, schedules }: StoredData,
): Promise<void> {
  const stores = new DataStores(directory);
  const { database, secrets, scheduler, outputs } = stores;
  try {
    await secrets.send(
      new PutSecretValueCommand({ SecretId: outputs.SigningKeySecret, SecretString: signingKey }),
    );
    for (const table of tables)
      for (const Item of items[table])
        await database.send(new PutItemCommand({ TableName: outputs[table], Item }));
    for (const { name, expression, start, input } of schedules)
      await scheduler.send(
        new CreateScheduleCommand({
          Name: name,
          GroupName: outputs.ScheduleGroup,
          ScheduleExpression: expression,
          ...(start && { StartDate: new Date(start) }),
          FlexibleTimeWindow: { Mode: 'OFF' },
          Target: { Arn: outputs.ScheduleTarget, RoleArn: outputs.ScheduleRole, Input: input },
        }),
      );
  } finally {
    stores.close();
  }
}

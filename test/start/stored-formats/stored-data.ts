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

/** Calls the AWS services in which the service that runs on a folder stores its data. */
async function withStores<Result>(
  directory: string,
  work: (stores: Stores) => Promise<Result>,
): Promise<Result> {
  const stores = storesOf(directory);
  const { database, secrets, scheduler } = stores;
  return work(stores).finally(() => {
    for (const client of [database, secrets, scheduler]) client.destroy();
  });
}

function storesOf(directory: string) {
  const { client, outputs } = operatorAccess(directory);
  return {
    outputs,
    database: new DynamoDBClient(client),
    secrets: new SecretsManagerClient(client),
    scheduler: new SchedulerClient(client),
  };
}

type Stores = ReturnType<typeof storesOf>;

/** Reads what the service that runs on a folder has stored. */
export function readStoredData(directory: string): Promise<StoredData> {
  return withStores(directory, async (stores) => {
    const { outputs, secrets } = stores;
    const secret = new GetSecretValueCommand({ SecretId: outputs.SigningKeySecret });
    const { SecretString: signingKey = '' } = await secrets.send(secret);
    const all = await Promise.all(tables.map(async (table) => [table, await itemsIn(stores, table)]));
    const items: StoredData['items'] = Object.fromEntries(all);
    return { items, signingKey, schedules: await schedulesOf(items.DogsTable, stores) };
  });
}

async function itemsIn({ database: client, outputs }: Stores, table: string): Promise<Item[]> {
  const items: Item[] = [];
  const pages = paginateScan({ client }, { TableName: outputs[table], ConsistentRead: true });
  for await (const page of pages) items.push(...(page.Items ?? []));
  return items;
}

async function schedulesOf(dogs: readonly Item[], { scheduler, outputs }: Stores): Promise<StoredSchedule[]> {
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
export function writeStoredData(
  directory: string,
  { items, signingKey, schedules }: StoredData,
): Promise<void> {
  return withStores(directory, async ({ database, secrets, scheduler, outputs }) => {
    const secret = { SecretId: outputs.SigningKeySecret, SecretString: signingKey };
    await secrets.send(new PutSecretValueCommand(secret));
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
  });
}

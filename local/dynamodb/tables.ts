import {
  CreateTableCommand,
  type CreateTableCommandInput,
  DescribeTableCommand,
  type DynamoDBClient,
  ResourceNotFoundException,
  UpdateTimeToLiveCommand,
} from '@aws-sdk/client-dynamodb';
import { UserError } from '../platform/user-error.ts';
import type { Template } from '../template/template.ts';

/**
 * Creates the tables of the template that do not exist.
 *
 * @throws UserError if the keys of an existing table differ from those of the template
 */
export async function createTables(client: DynamoDBClient, template: Template): Promise<void> {
  for (const resource of template.ofType('AWS::DynamoDB::Table')) {
    const { KeySchema, AttributeDefinitions, BillingMode, StreamSpecification, TimeToLiveSpecification } =
      resource.properties;
    const TableName = template.idOf(resource);
    const existing = await client.send(new DescribeTableCommand({ TableName })).catch((error) => {
      if (error instanceof ResourceNotFoundException) return undefined;
      throw error;
    });
    if (existing) {
      if (JSON.stringify(existing.Table?.KeySchema) !== JSON.stringify(KeySchema))
        throw new UserError(
          `The keys of the table ${TableName} differ from those of the template. Set DATA_DIR to another folder. If you use AWS_ENDPOINT_URL_DYNAMODB, set it to another database instead.`,
        );
      continue;
    }
    const definition: CreateTableCommandInput = {
      TableName,
      KeySchema,
      AttributeDefinitions,
      BillingMode,
      ...(StreamSpecification && { StreamSpecification: { StreamEnabled: true, ...StreamSpecification } }),
    };
    await client.send(new CreateTableCommand(definition));
    if (TimeToLiveSpecification)
      await client.send(new UpdateTimeToLiveCommand({ TableName, TimeToLiveSpecification }));
  }
}

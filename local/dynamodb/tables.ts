import {
  CreateTableCommand,
  DescribeTableCommand,
  type DynamoDBClient,
  ResourceNotFoundException,
  UpdateTableCommand,
  type UpdateTableCommandInput,
  UpdateTimeToLiveCommand,
} from '@aws-sdk/client-dynamodb';
import { UserError } from '../platform/user-error.ts';
import type { Template } from '../template/template.ts';

/**
 * Creates the template's missing tables. Like CloudFormation, gives an existing table the template's stream if the table has no
 * stream or one with another view type. The new stream does not contain the former one's records.
 *
 * @throws UserError if the keys of an existing table differ from those in the template
 */
export async function createTables(client: DynamoDBClient, template: Template): Promise<void> {
  const update = (input: UpdateTableCommandInput) => client.send(new UpdateTableCommand(input));
  for (const resource of template.ofType('AWS::DynamoDB::Table')) {
    const { KeySchema, AttributeDefinitions, BillingMode, StreamSpecification, TimeToLiveSpecification } =
      resource.properties;
    const TableName = template.idOf(resource);
    const stream = StreamSpecification && { StreamEnabled: true, ...StreamSpecification };
    const existing = await client.send(new DescribeTableCommand({ TableName })).catch((error) => {
      if (error instanceof ResourceNotFoundException) return undefined;
      throw error;
    });
    if (existing) {
      if (JSON.stringify(existing.Table?.KeySchema) !== JSON.stringify(KeySchema))
        throw new UserError(
          `The keys of the table ${TableName} differ from those in the template. Set DATA_DIR to another folder. If you use AWS_ENDPOINT_URL_DYNAMODB, set it to another database instead.`,
        );
      const current = existing.Table?.StreamSpecification;
      if (stream && current?.StreamViewType !== stream.StreamViewType) {
        if (current?.StreamEnabled)
          await update({ TableName, StreamSpecification: { StreamEnabled: false } });
        await update({ TableName, StreamSpecification: stream });
      }
      continue;
    }
    const definition = { TableName, KeySchema, AttributeDefinitions, BillingMode };
    await client.send(
      new CreateTableCommand({ ...definition, ...(stream && { StreamSpecification: stream }) }),
    );
    if (TimeToLiveSpecification)
      await client.send(new UpdateTimeToLiveCommand({ TableName, TimeToLiveSpecification }));
  }
}

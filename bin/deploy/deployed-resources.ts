import { APIGatewayClient, GetRestApiCommand } from '@aws-sdk/client-api-gateway';
import {
  CloudFormationClient,
  paginateListStackResources,
  type StackResourceSummary,
} from '@aws-sdk/client-cloudformation';
import { stackOf } from '../../lib/stages.ts';
import { failed, ok, type Result } from './finding.ts';

/** Returns the physical IDs of the stack's resources of a type. */
export type FindResources = (type: string) => Promise<string[]>;

export function resourcesOf(stage: string): FindResources {
  const all = listResources(stackOf(stage));
  // The checks that use the resources report an error.
  all.catch(() => {});
  return async (type) =>
    (await all)
      .filter(({ ResourceType }) => ResourceType === type)
      .flatMap(({ PhysicalResourceId }) => PhysicalResourceId ?? []);
}

async function listResources(StackName: string): Promise<StackResourceSummary[]> {
  const found: StackResourceSummary[] = [];
  const client = new CloudFormationClient();
  for await (const { StackResourceSummaries = [] } of paginateListStackResources({ client }, { StackName }))
    found.push(...StackResourceSummaries);
  return found;
}

/** Fails while API Gateway applies a TLS policy, because it then refuses changes to the API. */
export async function checkApi(find: FindResources): Promise<Result> {
  const [restApiId] = await find('AWS::ApiGateway::RestApi');
  if (restApiId === undefined) return ok('none');
  const { apiStatus = 'AVAILABLE' } = await new APIGatewayClient().send(new GetRestApiCommand({ restApiId }));
  return apiStatus === 'UPDATING' || apiStatus === 'PENDING'
    ? failed(
        `API Gateway is still changing the API (${apiStatus}), which takes about 15 minutes. Try again later.`,
      )
    : ok(apiStatus);
}

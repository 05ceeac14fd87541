import {
  CloudFormationClient,
  GetTemplateCommand,
  paginateListStackResources,
} from '@aws-sdk/client-cloudformation';
import { readOperatorFile } from '../operator/deployment.ts';

/** The names that functions have on AWS or on this machine, by the ids of their constructs. */
export type Functions = ReadonlyMap<string, string>;

/** @param stack undefined for the service on this machine */
export async function functionsOf(stack: string | undefined): Promise<Functions> {
  if (stack !== undefined) return functionsOfStack(stack);
  return new Map(Object.entries(readOperatorFile().functions));
}

/** The id of a construct stands in the template; the logical id that the stack knows it by is made of more. */
async function functionsOfStack(StackName: string): Promise<Functions> {
  const client = new CloudFormationClient();
  const { TemplateBody = '{}' } = await client.send(new GetTemplateCommand({ StackName }));
  const { Resources = {} } = JSON.parse(TemplateBody) as Template;
  const functions = new Map<string, string>();
  for await (const { StackResourceSummaries = [] } of paginateListStackResources({ client }, { StackName }))
    for (const { ResourceType, LogicalResourceId = '', PhysicalResourceId } of StackResourceSummaries)
      if (ResourceType === 'AWS::Lambda::Function' && PhysicalResourceId)
        functions.set(constructId(LogicalResourceId, Resources), PhysicalResourceId);
  return functions;
}

interface Template {
  readonly Resources?: Readonly<Record<string, { readonly Metadata?: Record<string, string> }>>;
}

function constructId(logicalId: string, resources: NonNullable<Template['Resources']>): string {
  return resources[logicalId]?.Metadata?.['aws:cdk:path']?.split('/').at(-2) ?? logicalId;
}

import {
  CloudFormationClient,
  GetTemplateCommand,
  paginateListStackResources,
} from '@aws-sdk/client-cloudformation';
import { readOperatorFile } from '../cli/deployment.ts';

/** The functions' physical names, on AWS or in the local cloud, by construct ID. */
export type Functions = ReadonlyMap<string, string>;

/** @param stack the name of the stack, or undefined for the local service */
export async function functionsOf(stack: string | undefined): Promise<Functions> {
  if (stack !== undefined) return functionsOfStack(stack);
  return new Map(Object.entries((await readOperatorFile()).functions));
}

/** The template's metadata contains the construct IDs. */
async function functionsOfStack(StackName: string): Promise<Functions> {
  const client = new CloudFormationClient();
  const { TemplateBody = '{}' } = await client.send(new GetTemplateCommand({ StackName }));
  const { Resources = {} } = JSON.parse(TemplateBody) as Template;
  const functions = new Map<string, string>();
  for await (const { StackResourceSummaries = [] } of paginateListStackResources({ client }, { StackName }))
    for (const { ResourceType, LogicalResourceId = '', PhysicalResourceId } of StackResourceSummaries)
      if (ResourceType === 'AWS::Lambda::Function' && PhysicalResourceId)
        functions.set(
          Resources[LogicalResourceId]?.Metadata?.SamResourceId ?? LogicalResourceId,
          PhysicalResourceId,
        );
  return functions;
}

interface Template {
  readonly Resources?: Readonly<Record<string, { readonly Metadata?: { readonly SamResourceId?: string } }>>;
}

import { randomUUID } from 'node:crypto';
import type { Emulator } from '../endpoint/emulator.ts';
import { escaped, xml, xmlError, xmlNamespaces } from '../endpoint/response.ts';
import { stackArn } from '../template/arns.ts';
import type { Template } from '../template/template.ts';

export function createCloudFormationEmulator(
  { stackName }: Template,
  outputs: Readonly<Record<string, string>>,
): Emulator {
  return async ({ body }) => {
    const parameters = new URLSearchParams(body.toString('utf8'));
    const action = parameters.get('Action');
    if (action !== 'DescribeStacks')
      return xmlError(
        'cloudformation',
        400,
        'InvalidAction',
        `The local cloud does not support the CloudFormation action ${action}.`,
      );
    const name = parameters.get('StackName');
    if (name !== stackName)
      return xmlError('cloudformation', 400, 'ValidationError', `Stack with id ${name} does not exist`);
    return xml(200, stackDocument(stackName, outputs));
  };
}

function stackDocument(stackName: string, outputs: Readonly<Record<string, string>>): string {
  const members = Object.entries(outputs).map(
    ([key, value]) =>
      `<member><OutputKey>${key}</OutputKey><OutputValue>${escaped(value)}</OutputValue></member>`,
  );
  const stack = `<StackId>${stackArn(stackName)}</StackId><StackName>${stackName}</StackName><StackStatus>CREATE_COMPLETE</StackStatus><CreationTime>2026-11-21T12:00:00Z</CreationTime><Outputs>${members.join('')}</Outputs>`;
  return `<DescribeStacksResponse xmlns="${xmlNamespaces.cloudformation}"><DescribeStacksResult><Stacks><member>${stack}</member></Stacks></DescribeStacksResult><ResponseMetadata><RequestId>${randomUUID()}</RequestId></ResponseMetadata></DescribeStacksResponse>`;
}

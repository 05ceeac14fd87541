import { randomUUID } from 'node:crypto';
import type { Emulator } from '../endpoint/endpoint.ts';
import { escaped, queryFailure, xml } from '../endpoint/query-protocol.ts';
import type { AwsResponse } from '../endpoint/response.ts';
import { stackArn, type Template } from '../template/template.ts';

const namespace = 'http://cloudformation.amazonaws.com/doc/2010-05-15/';

/** Returns an error in the form of CloudFormation. */
export function cloudFormationFailure(status: number, code: string, message: string): AwsResponse {
  return queryFailure(namespace, status, code, message);
}

/**
 * Creates the emulator of CloudFormation, which supports only DescribeStacks of the one stack.
 *
 * @param outputs returns the outputs of the stack
 */
export function createCloudFormationEmulator(
  { stackName }: Template,
  outputs: () => Readonly<Record<string, string>>,
): Emulator {
  return async ({ body }) => {
    const parameters = new URLSearchParams(body.toString('utf8'));
    const action = parameters.get('Action');
    if (action !== 'DescribeStacks')
      return cloudFormationFailure(400, 'InvalidAction', `This machine has no ${action}.`);
    const name = parameters.get('StackName');
    if (name !== stackName)
      return cloudFormationFailure(400, 'ValidationError', `Stack with id ${name} does not exist`);
    const members = Object.entries(outputs()).map(
      ([key, value]) =>
        `<member><OutputKey>${key}</OutputKey><OutputValue>${escaped(value)}</OutputValue></member>`,
    );
    const stack = `<StackId>${stackArn(stackName)}</StackId><StackName>${stackName}</StackName><StackStatus>CREATE_COMPLETE</StackStatus><CreationTime>2026-11-21T12:00:00Z</CreationTime><Outputs>${members.join('')}</Outputs>`;
    return xml(
      200,
      `<DescribeStacksResponse xmlns="${namespace}"><DescribeStacksResult><Stacks><member>${stack}</member></Stacks></DescribeStacksResult><ResponseMetadata><RequestId>${randomUUID()}</RequestId></ResponseMetadata></DescribeStacksResponse>`,
    );
  };
}

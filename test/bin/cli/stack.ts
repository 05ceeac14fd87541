import { CloudFormationClient, DescribeStacksCommand } from '@aws-sdk/client-cloudformation';
import {
  GetSecretValueCommand,
  PutSecretValueCommand,
  ResourceNotFoundException,
  SecretsManagerClient,
} from '@aws-sdk/client-secrets-manager';
import type { Outputs } from '../../../bin/cli/deployment.ts';
import { mockClient } from '../../support/mock-client.ts';
import { describedStack, stackOutputs } from '../../support/stack-outputs.ts';

export const stack = 'DogService-test';
/** The values of the secrets, by ID. */
export const secrets = new Map<string, string>();
export const cloudFormation = mockClient(CloudFormationClient);
export const secretsManager = mockClient(SecretsManagerClient);

/**
 * Mocks the stack, its secrets and the token endpoint, which refuses a request that contains the word `refused`. Must be called in a
 * hook, because the outputs name the tables of the database. @returns the outputs of the stack
 */
export function mockStack(): Outputs {
  const outputs = {
    ...stackOutputs(),
    Credentials: JSON.stringify([
      { name: 'dogs', client: 'dogs-client', credential: 'dogs-credential' },
      { name: 'other', client: 'other-client', credential: 'other-credential' },
    ]),
  };
  cloudFormation
    .rejects(new Error('The stack does not exist.'))
    .on(DescribeStacksCommand, { StackName: stack })
    .resolves(describedStack(outputs));
  secretsManager
    .on(GetSecretValueCommand)
    .callsFake(async ({ SecretId }: { SecretId: string }) => {
      const SecretString = secrets.get(SecretId);
      if (SecretString === undefined) throw new ResourceNotFoundException({ message: 'none', $metadata: {} });
      return { SecretString };
    })
    .on(PutSecretValueCommand)
    .callsFake(async ({ SecretId, SecretString }: { SecretId: string; SecretString: string }) => {
      secrets.set(SecretId, SecretString);
      return {};
    });
  jest.spyOn(globalThis, 'fetch').mockImplementation(async (_, init) => {
    const refused = String(init?.body).includes('refused');
    return Response.json(
      refused
        ? { error: 'invalid_grant' }
        : { access_token: 'access', token_type: 'Bearer', expires_in: 3600, refresh_token: 'refresh' },
      { status: refused ? 400 : 200 },
    );
  });
  return outputs;
}

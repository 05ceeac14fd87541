import { GetAliasCommand, LambdaClient } from '@aws-sdk/client-lambda';
import { checkAliases } from '../../../bin/deploy/aliases.ts';
import { mockClient } from '../../support/mock-client.ts';

const lambda = mockClient(LambdaClient);
const arnOf = (name: string) => `arn:aws:lambda:eu-west-1:123456789012:function:DogService-test-${name}`;

const checked = (...names: string[]) => checkAliases(async () => names.map((name) => `${arnOf(name)}:live`));

/** Makes aliases send some of their traffic to version 7. */
function divide(...names: string[]): void {
  lambda.reset().on(GetAliasCommand).resolves({});
  for (const name of names)
    lambda
      .on(GetAliasCommand, { FunctionName: arnOf(name), Name: 'live' })
      .resolves({ RoutingConfig: { AdditionalVersionWeights: { 7: 0.1 } } });
}

describe('the check of the aliases', () => {
  test('accepts a stack without aliases, and aliases without routing weights', async () => {
    divide();
    expect(await checked()).toEqual({ state: 'ok', text: 'none' });
    expect(await checked('GetDog', 'PatchDog')).toEqual({ state: 'ok', text: '2 without routing weights' });
  });

  test('fails with a command for each alias with routing weights', async () => {
    divide('Authorizer', 'PatchDog');
    const command = (name: string) =>
      `aws lambda update-alias --function-name ${arnOf(name)} --name live --routing-config '{}'`;
    expect(await checked('Authorizer', 'GetDog', 'PatchDog')).toEqual({
      state: 'FAILED',
      text: `A release was interrupted, and has left routing weights. Read docs/deploying.md#an-interrupted-release, and run ${command('Authorizer')} && ${command('PatchDog')}`,
    });
  });
});

import { GetAliasCommand, LambdaClient } from '@aws-sdk/client-lambda';
import type { FindResources } from './deployed-resources.ts';
import { failed, ok, type Result } from './finding.ts';

/**
 * Fails if an alias sends traffic to a second version. No release is in progress, so an interrupted one has left the routing
 * weights, and the next deployment could fail because of them, or leave traffic on the old version.
 */
export async function checkAliases(find: FindResources): Promise<Result> {
  const arns = await find('AWS::Lambda::Alias');
  const client = new LambdaClient();
  const remedies: string[] = [];
  // Lambda allows only 15 of these requests a second.
  for (const arn of arns) {
    const [, FunctionName = '', Name = ''] = /^(.*):(.*)$/.exec(arn) ?? [];
    const { RoutingConfig } = await client.send(new GetAliasCommand({ FunctionName, Name }));
    if (Object.keys(RoutingConfig?.AdditionalVersionWeights ?? {}).length > 0)
      remedies.push(
        `aws lambda update-alias --function-name ${FunctionName} --name ${Name} --routing-config '{}'`,
      );
  }
  return remedies.length === 0
    ? ok(arns.length === 0 ? 'none' : `${arns.length} without routing weights`)
    : failed(
        `A release was interrupted, and has left routing weights. Read docs/deploying.md#an-interrupted-release, and run ${remedies.join(' && ')}`,
      );
}

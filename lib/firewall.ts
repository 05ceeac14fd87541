import type { Stage } from 'aws-cdk-lib/aws-apigateway';
import { CfnWebACL, CfnWebACLAssociation } from 'aws-cdk-lib/aws-wafv2';
import { Construct } from 'constructs';

/**
 * WAF before the API: no address makes more than so many requests, nor do those of known attackers, nor requests that
 * are known attacks. AWS's core rule set is not among the rules, because it blocks bodies beyond 8 KB, and messages
 * that only look like code.
 */
export class Firewall extends Construct {
  constructor(
    scope: Construct,
    id: string,
    { requestsPerAddress, stage }: { readonly requestsPerAddress: number; readonly stage: Stage },
  ) {
    super(scope, id);
    const acl = new CfnWebACL(this, 'WebAcl', {
      scope: 'REGIONAL',
      defaultAction: { allow: {} },
      visibilityConfig: visible('Firewall'),
      rules: [
        {
          name: 'RequestsPerAddress',
          priority: 0,
          action: { block: {} },
          statement: {
            rateBasedStatement: {
              limit: requestsPerAddress,
              evaluationWindowSec: 300,
              aggregateKeyType: 'IP',
            },
          },
          visibilityConfig: visible('RequestsPerAddress'),
        },
        ...['AWSManagedRulesAmazonIpReputationList', 'AWSManagedRulesKnownBadInputsRuleSet'].map(
          (name, index) => ({
            name,
            priority: index + 1,
            overrideAction: { none: {} },
            statement: { managedRuleGroupStatement: { vendorName: 'AWS', name } },
            visibilityConfig: visible(name),
          }),
        ),
      ],
    });
    new CfnWebACLAssociation(this, 'Association', { resourceArn: stage.stageArn, webAclArn: acl.attrArn });
  }
}

function visible(metricName: string): CfnWebACL.VisibilityConfigProperty {
  return { metricName, cloudWatchMetricsEnabled: true, sampledRequestsEnabled: true };
}

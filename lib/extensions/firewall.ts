import { Tags } from 'aws-cdk-lib';
import { Stage } from 'aws-cdk-lib/aws-apigateway';
import { CfnWebACL, CfnWebACLAssociation } from 'aws-cdk-lib/aws-wafv2';
import { Construct } from 'constructs';
import * as v from 'valibot';
import { constructsOf } from '../constructs.ts';
import { described, wholeNumber } from '../setting-types.ts';
import { extension } from './extension.ts';

export const firewall = extension({
  fields: {
    firewallRequestsPerAddress: described(
      'How many requests WAF allows from one IP address in five minutes. 0: no WAF.',
      v.pipe(
        wholeNumber(0, 2_000_000_000),
        v.check((limit) => limit === 0 || limit >= 10, 'must be 0 or at least 10'),
      ),
    ),
  },
  defaults: { firewallRequestsPerAddress: 0 },
  add(stack, { firewallRequestsPerAddress: requestsPerAddress, tags }) {
    if (requestsPerAddress === 0) return;
    const added = new Firewall(stack, 'Firewall', requestsPerAddress);
    // https://github.com/aws-cloudformation/cloudformation-coverage-roadmap/issues/1142
    for (const [name, value] of Object.entries(tags)) Tags.of(added).add(name, value);
  },
});

/** Omits AWS's core rule set, which blocks bodies of more than 8 KB and text that looks like code. */
class Firewall extends Construct {
  constructor(scope: Construct, id: string, requestsPerAddress: number) {
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
        {
          // API Gateway obeys this header. WAF may count a missing header as 0 bytes.
          name: 'MethodOverride',
          priority: 3,
          action: { block: {} },
          statement: {
            sizeConstraintStatement: {
              fieldToMatch: { singleHeader: { Name: 'x-http-method-override' } },
              comparisonOperator: 'GT',
              size: 0,
              textTransformations: [{ priority: 0, type: 'NONE' }],
            },
          },
          visibilityConfig: visible('MethodOverride'),
        },
      ],
    });
    for (const { stageArn } of constructsOf(this, Stage))
      new CfnWebACLAssociation(this, 'Association', { resourceArn: stageArn, webAclArn: acl.attrArn });
  }
}

/** WAF's samples of requests would contain credentials and unsubscribe tokens. */
function visible(metricName: string): CfnWebACL.VisibilityConfigProperty {
  return { metricName, cloudWatchMetricsEnabled: true, sampledRequestsEnabled: false };
}

import { Alarm } from 'aws-cdk-lib/aws-cloudwatch';
import { LambdaApplication, LambdaDeploymentConfig, LambdaDeploymentGroup } from 'aws-cdk-lib/aws-codedeploy';
import { PolicyStatement, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import type { Alias } from 'aws-cdk-lib/aws-lambda';
import { Construct } from 'constructs';
import * as v from 'valibot';
import { constructsOf } from '../constructs.ts';
import { ServiceFunction } from '../service-function.ts';
import { described } from '../setting-types.ts';
import { extension } from './extension.ts';

export const canary = extension({
  fields: {
    releases: described(
      'Whether new code receives all traffic at once (allAtOnce) or, in the main functions, a tenth of it first (canary).',
      v.picklist(['allAtOnce', 'canary'], 'must be allAtOnce or canary'),
    ),
  },
  defaults: { releases: 'allAtOnce' },
  rules: [
    {
      field: 'expressDeployments',
      message: 'must be false if releases is canary, because a deployment would not wait for the canary',
      holds: ({ expressDeployments, releases }) => !expressDeployments || releases !== 'canary',
    },
  ],
  add(stack, { releases }) {
    if (releases === 'canary') new Releases(stack, 'Releases');
  },
});

/**
 * The functions whose traffic a release shifts gradually: the authorizer of every request, the most frequent read, and one
 * function for each way to make a dog bark. CodeDeploy starts a deployment for each at the same time, and shares Lambda's
 * 15 requests a second for changes with CloudFormation, so this list must stay short.
 */
const shifted: ReadonlySet<string> = new Set([
  'Authorizer',
  'GetDog',
  'PatchDog',
  'PostBarks',
  'PostBarkSchedule',
]);

/** The alarms on errors. An alarm on a dead-letter queue would stop every release until the queue was empty. */
const stopping: ReadonlySet<string> = new Set(['ServerErrorsAlarm', 'JobErrorsAlarm']);

/**
 * If an alarm fires during the canary, CodeDeploy rolls back the release, and CloudFormation the whole stack update,
 * which includes the functions that are not shifted.
 */
class Releases extends Construct {
  constructor(scope: Construct, id: string) {
    super(scope, id);
    const functions = constructsOf(this, ServiceFunction);
    const alarms = constructsOf(this, Alarm).filter(({ node }) => stopping.has(node.id));
    const application = new LambdaApplication(this, 'Application');
    const role = this.createRole(functions);
    for (const { node, alias } of functions)
      if (alias && shifted.has(node.id)) this.shift(node.id, alias, application, role, alarms);
  }

  private shift(
    id: string,
    alias: Alias,
    application: LambdaApplication,
    role: Role,
    alarms: readonly Alarm[],
  ): void {
    new LambdaDeploymentGroup(this, id, {
      application,
      alias,
      alarms: [...alarms],
      deploymentConfig: LambdaDeploymentConfig.CANARY_10PERCENT_10MINUTES,
      autoRollback: { deploymentInAlarm: true, failedDeployment: true, stoppedDeployment: true },
      // Otherwise, the construct attaches AWS's managed policy, which permits changes to every function in the account.
      role: role.withoutPolicyUpdates(),
    });
  }

  /**
   * Grants the permissions in AWS's policy AWSCodeDeployRoleForLambdaLimited, but only for these functions, and omits
   * the permissions for hooks and S3 buckets, which the deployment groups do not use. The role may change every alias,
   * because a rollback to an earlier version can shift other functions.
   *
   * @see {@link https://docs.aws.amazon.com/aws-managed-policy/latest/reference/AWSCodeDeployRoleForLambdaLimited.html}
   */
  private createRole(functions: readonly ServiceFunction[]): Role {
    const functionAndAliasArns = functions.flatMap(({ functionArn, alias }) =>
      alias ? [functionArn, `${functionArn}:${alias.aliasName}`] : [],
    );
    const role = new Role(this, 'Role', { assumedBy: new ServicePrincipal('codedeploy.amazonaws.com') });
    // These statements become a separate resource. In the role itself, they would cause a circular dependency: a
    // function depends on the workflow, the workflow on an alias, the alias on its deployment group, and the group on
    // the role.
    role.addToPolicy(
      new PolicyStatement({
        actions: ['lambda:GetAlias', 'lambda:GetProvisionedConcurrencyConfig', 'lambda:UpdateAlias'],
        resources: functionAndAliasArns,
      }),
    );
    // CloudWatch describes composite alarms only to a principal that may describe all alarms.
    role.addToPolicy(new PolicyStatement({ actions: ['cloudwatch:DescribeAlarms'], resources: ['*'] }));
    return role;
  }
}

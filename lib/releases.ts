import type { Alarm } from 'aws-cdk-lib/aws-cloudwatch';
import { LambdaApplication, LambdaDeploymentConfig, LambdaDeploymentGroup } from 'aws-cdk-lib/aws-codedeploy';
import { PolicyStatement, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import type { Alias } from 'aws-cdk-lib/aws-lambda';
import { Construct } from 'constructs';
import { constructsOf } from './constructs.ts';
import { ServiceFunction } from './service-function.ts';

/**
 * Releases new versions of the functions gradually: CodeDeploy sends a tenth of each alias's traffic to the new version
 * for ten minutes, and then all of it. If an alarm fires in that time, CodeDeploy rolls back the release, and CloudFormation
 * rolls back the whole update of the stack. The alarms evaluate periods of five minutes, so a canary of five minutes could end
 * before an alarm fires. Create this construct after all functions.
 *
 * The releases use only alarms on errors. An alarm on a dead-letter queue would stop every release until the operator
 * has cleared the queue.
 */
export class Releases extends Construct {
  constructor(scope: Construct, id: string, alarms: readonly Alarm[]) {
    super(scope, id);
    const functions = constructsOf(this, ServiceFunction);
    const application = new LambdaApplication(this, 'Application');
    const role = this.createRole(functions);
    for (const { node, alias } of functions) if (alias) this.shift(node.id, alias, application, role, alarms);
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
   * Creates the role of CodeDeploy. It has the permissions of AWS's policy AWSCodeDeployRoleForLambdaLimited, but only for
   * these functions, and without the permissions for hooks and S3 buckets, which the deployment groups do not use.
   *
   * @see {@link https://docs.aws.amazon.com/aws-managed-policy/latest/reference/AWSCodeDeployRoleForLambdaLimited.html}
   */
  private createRole(functions: readonly ServiceFunction[]): Role {
    const functionAndAliasArns = functions.flatMap(({ functionArn, alias }) =>
      alias ? [functionArn, `${functionArn}:${alias.aliasName}`] : [],
    );
    const role = new Role(this, 'Role', { assumedBy: new ServicePrincipal('codedeploy.amazonaws.com') });
    // The policy is a separate resource. A function depends on the workflow, the workflow on an alias, the alias on its
    // deployment group, and the group on the role. An inline policy that names the functions would cause a circular dependency.
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

import { Stack } from 'aws-cdk-lib';
import type { Alarm } from 'aws-cdk-lib/aws-cloudwatch';
import { LambdaApplication, LambdaDeploymentConfig, LambdaDeploymentGroup } from 'aws-cdk-lib/aws-codedeploy';
import { PolicyStatement, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import type { Alias } from 'aws-cdk-lib/aws-lambda';
import { Construct } from 'constructs';
import { ServiceFunction } from './service-function.ts';

/**
 * Releases new versions of the functions gradually: CodeDeploy sends a tenth of each alias's traffic to the new version
 * for ten minutes, and then all of it. An alarm in that time rolls back, and with it the whole update of the stack. The
 * alarms look at five minutes, so that a canary of five minutes could end before them. Create this construct after all
 * functions.
 *
 * The alarms must be those that only the functions cause. A queue with a dead-letter message would stop every release
 * until an operator has cleared the queue.
 */
export class Releases extends Construct {
  constructor(scope: Construct, id: string, alarms: readonly Alarm[]) {
    super(scope, id);
    const functions = Stack.of(this)
      .node.findAll()
      .filter((construct) => construct instanceof ServiceFunction);
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
      // The construct would attach AWS's managed policy, which allows it to change every function of the account.
      role: role.withoutPolicyUpdates() as Role,
    });
  }

  /**
   * Creates the role of CodeDeploy: what AWS's policy AWSCodeDeployRoleForLambdaLimited has, but on these functions alone,
   * and without the hooks and the bucket that the deployment groups do not use.
   *
   * @see {@link https://docs.aws.amazon.com/aws-managed-policy/latest/reference/AWSCodeDeployRoleForLambdaLimited.html}
   */
  private createRole(functions: readonly ServiceFunction[]): Role {
    const aliases = functions.flatMap(({ functionArn, alias }) =>
      alias ? [functionArn, `${functionArn}:${alias.aliasName}`] : [],
    );
    const role = new Role(this, 'Role', { assumedBy: new ServicePrincipal('codedeploy.amazonaws.com') });
    // The policy is a resource of its own. A function depends on the workflow, that on an alias, that on its deployment
    // group, and that on the role: a role that names the functions would close a circle.
    role.addToPolicy(
      new PolicyStatement({
        actions: ['lambda:GetAlias', 'lambda:GetProvisionedConcurrencyConfig', 'lambda:UpdateAlias'],
        resources: aliases,
      }),
    );
    // CloudWatch describes composite alarms only to a principal that may describe all alarms.
    role.addToPolicy(new PolicyStatement({ actions: ['cloudwatch:DescribeAlarms'], resources: ['*'] }));
    return role;
  }
}

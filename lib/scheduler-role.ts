import { Aws } from 'aws-cdk-lib';
import { Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import type { ScheduleGroup } from 'aws-cdk-lib/aws-scheduler';
import type { Construct } from 'constructs';

/**
 * EventBridge Scheduler may assume the role only for the schedules in this group.
 *
 * @param roleName by default, CloudFormation chooses a name
 */
export function schedulerRole(scope: Construct, id: string, group: ScheduleGroup, roleName?: string): Role {
  return new Role(scope, id, {
    ...(roleName !== undefined && { roleName }),
    assumedBy: new ServicePrincipal('scheduler.amazonaws.com', {
      conditions: {
        StringEquals: { 'aws:SourceAccount': Aws.ACCOUNT_ID, 'aws:SourceArn': group.scheduleGroupArn },
      },
    }),
  });
}

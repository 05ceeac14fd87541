import { Aws, Stack } from 'aws-cdk-lib';
import { CfnBudget } from 'aws-cdk-lib/aws-budgets';
import type { Construct } from 'constructs';

/**
 * AWS identifies the stack's costs by a tag that CloudFormation sets. The operator must activate this tag as a cost
 * allocation tag, once per account.
 */
export function addBudget(
  scope: Construct,
  id: string,
  { dollars, alarmTopicArn }: { readonly dollars: number; readonly alarmTopicArn: string },
): void {
  const { stackName } = Stack.of(scope);
  const notify = (notificationType: 'ACTUAL' | 'FORECASTED', threshold: number) => ({
    notification: {
      notificationType,
      comparisonOperator: 'GREATER_THAN',
      threshold,
      thresholdType: 'PERCENTAGE',
    },
    subscribers: [{ subscriptionType: 'SNS', address: alarmTopicArn }],
  });
  new CfnBudget(scope, id, {
    budget: {
      // Budget names must be unique across regions.
      budgetName: `${stackName}-${Aws.REGION}`,
      budgetType: 'COST',
      timeUnit: 'MONTHLY',
      budgetLimit: { amount: dollars, unit: 'USD' },
      costFilters: { TagKeyValue: [`aws:cloudformation:stack-name$${stackName}`] },
    },
    notificationsWithSubscribers: [notify('ACTUAL', 80), notify('FORECASTED', 100)],
  });
}

import { Aws, Stack } from 'aws-cdk-lib';
import { CfnBudget } from 'aws-cdk-lib/aws-budgets';
import type { Construct } from 'constructs';

/**
 * An alarm on what the stack costs in a month: told at four fifths of it, and when it is likely to be exceeded. AWS knows
 * the stack's costs by a tag that it sets itself, and that must be activated for the account once.
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
      // Budgets belong to the account, whatever the region.
      budgetName: `${stackName}-${Aws.REGION}`,
      budgetType: 'COST',
      timeUnit: 'MONTHLY',
      budgetLimit: { amount: dollars, unit: 'USD' },
      costFilters: { TagKeyValue: [`aws:cloudformation:stack-name$${stackName}`] },
    },
    notificationsWithSubscribers: [notify('ACTUAL', 80), notify('FORECASTED', 100)],
  });
}

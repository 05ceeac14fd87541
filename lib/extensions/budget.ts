import { Aws, type Stack } from 'aws-cdk-lib';
import { CfnBudget } from 'aws-cdk-lib/aws-budgets';
import { described, wholeNumber } from '../setting-types.ts';
import { extension } from './extension.ts';

export const budget = extension({
  fields: {
    monthlyBudgetDollars: described(
      "The stack's monthly budget, in dollars. A budget requires alarmTopicArn. 0: no budget.",
      wholeNumber(0, 1_000_000),
    ),
  },
  defaults: { monthlyBudgetDollars: 0 },
  rules: [
    {
      field: 'alarmTopicArn',
      message: 'must be set if monthlyBudgetDollars is not 0',
      holds: ({ monthlyBudgetDollars, alarmTopicArn }) => monthlyBudgetDollars === 0 || alarmTopicArn !== '',
    },
  ],
  add(stack, { monthlyBudgetDollars, alarmTopicArn }) {
    if (monthlyBudgetDollars > 0) addBudget(stack, monthlyBudgetDollars, alarmTopicArn);
  },
});

/**
 * AWS identifies the stack's costs by a tag that CloudFormation sets. The operator must activate this tag as a cost
 * allocation tag, once per account.
 */
function addBudget(stack: Stack, dollars: number, alarmTopicArn: string): void {
  const { stackName } = stack;
  const notify = (notificationType: 'ACTUAL' | 'FORECASTED', threshold: number) => ({
    notification: {
      notificationType,
      comparisonOperator: 'GREATER_THAN',
      threshold,
      thresholdType: 'PERCENTAGE',
    },
    subscribers: [{ subscriptionType: 'SNS', address: alarmTopicArn }],
  });
  new CfnBudget(stack, 'Budget', {
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

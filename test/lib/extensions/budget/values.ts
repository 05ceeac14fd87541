import type { ExtensionValues } from '../../../support/extensions.ts';

export const values: ExtensionValues = {
  other: { monthlyBudgetDollars: 20 },
  refused: { alarmTopicArn: [''] },
};

import type { ExtensionValues } from '../../../support/extensions.ts';

export const values: ExtensionValues = {
  other: { events: true },
  acknowledged: [
    {
      rule: 'Serverless-EventBusDLQ',
      path: '/Events/LogRule',
      reason: 'The log only shows events to the operator. The rules of other systems have their own queues.',
    },
  ],
};

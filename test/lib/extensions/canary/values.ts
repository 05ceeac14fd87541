import type { ExtensionValues } from '../../../support/extensions.ts';

export const values: ExtensionValues = {
  other: { releases: 'canary' },
  needsAlias: true,
  refused: { releases: ['linear', '', true], expressDeployments: [true] },
  acknowledged: [
    {
      rule: 'AwsSolutions-IAM5[Resource::*]',
      path: '/Releases/Role/DefaultPolicy/Resource',
      reason: 'CloudWatch describes composite alarms only to a principal that may describe all alarms.',
    },
  ],
};

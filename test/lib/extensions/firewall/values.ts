import type { ExtensionValues } from '../../../support/extensions.ts';

export const values: ExtensionValues = {
  other: { firewallRequestsPerAddress: 1000 },
  accepted: { firewallRequestsPerAddress: [0, 10] },
  tagged: ['AWS::WAFv2::WebACL'],
  refused: { firewallRequestsPerAddress: [9] },
};

import type { ExtensionValues } from '../../../support/extensions.ts';

export const values: ExtensionValues = {
  other: {},
  longer: ['PostBarks', 'GetBark', 'PostLastBark'],
};

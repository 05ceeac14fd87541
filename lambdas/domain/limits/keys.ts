/** The prefix of the sort keys of usage items. `lambdas/domain/barks/keys.ts` has the other prefixes in the barks table. */
export const usagePrefix = 'l#';

import { purgeOrphans } from '../../../lambdas/domain/removal/orphans.ts';
import type { OperatorRun } from '../operator-group.ts';
import { newContext } from '../parameters.ts';

/** The time allowed for purging one dog: the same as the timeout of the function PurgeDog. */
const purgeTimeoutMs = 5 * 60_000;

export const purge: OperatorRun = () => purgeOrphans(() => newContext(purgeTimeoutMs));

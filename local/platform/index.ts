/** What a program needs that starts the local cloud, or that calls it from another process. Loads fast. */
export { proofOf, proofPath } from '../endpoint/proof.ts';
export { type Activity, type LogActivity, onActivity, type RequestActivity, report } from './activity.ts';
export { removeAwsConfiguration } from './aws-configuration.ts';
export { explainDiskError } from './disk-errors.ts';
export { parseJson } from './json.ts';
export { log } from './log.ts';
export { bypassProxy } from './proxy.ts';
export type { ServiceTexts } from './service-texts.ts';
export { Shutdown } from './shutdown.ts';
export { keptPath, unguessablePath } from './unguessable-path.ts';
export { InUseError, UserError } from './user-error.ts';

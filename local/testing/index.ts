/** Tools for tests that call a service over HTTP. Loads fast, and starts nothing. */
export { matchesPattern, type Pattern } from '../eventbridge/pattern.ts';
export { addedHeaders } from '../gateway/constants.ts';
export { eventually } from './eventually.ts';
export { processesWith } from './local-processes.ts';
export { exchange, send } from './raw-http.ts';
export { shortenPauses } from './short-pauses.ts';

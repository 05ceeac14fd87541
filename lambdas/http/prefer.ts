import { maxWaitSeconds } from '../contract/waiting.ts';
import type { WaitLimits } from '../domain/waiting/wait.ts';
import type { Request } from './request.ts';

const token = "[!#$%&'*+.^_`|~\\w-]+";
const word = `(?:${token}|"(?:[^"\\\\]|\\\\.)*")`;
const equals = '[ \\t]*=[ \\t]*';

/**
 * The pattern of a list element. A comma in a quoted string does not end the element, and a quoted string may lack its closing
 * quote.
 */
const listElement = /(?:[^",]|"(?:[^"\\]|\\.?)*"?)+/g;

/**
 * The pattern of a preference: its name, its value and its parameters.
 *
 * @see {@link https://www.rfc-editor.org/rfc/rfc7240#section-2 RFC 7240 section 2}
 */
const preference = new RegExp(
  `^[ \\t]*(?<name>${token})(?:${equals}(?<value>${word}))?(?:[ \\t]*;(?:[ \\t]*${token}(?:${equals}${word})?)?)*[ \\t]*$`,
);

/**
 * Returns true if the client prefers an asynchronous response. RFC 7240 defines `respond-async` without a value, so the function
 * ignores `respond-async` with a value that is not empty.
 *
 * @see {@link https://www.rfc-editor.org/rfc/rfc7240#section-4.1 RFC 7240 section 4.1}
 */
export function prefersAsync(request: Request): boolean {
  return preferenceOf(request, 'respond-async') === '';
}

/**
 * Returns how long the client prefers to wait for the response, in whole seconds, but at most `maxWaitSeconds`. Returns 0 if the
 * client does not prefer to wait, or if the value is not a number of seconds.
 *
 * @see {@link https://www.rfc-editor.org/rfc/rfc7240#section-4.3 RFC 7240 section 4.3}
 */
function waitSeconds(request: Request): number {
  const value = preferenceOf(request, 'wait') ?? '';
  return /^\d+$/.test(value) ? Math.min(Number(value), maxWaitSeconds) : 0;
}

/**
 * Returns the value of a preference, without quotes: an empty string if the preference has no value, undefined if the request does
 * not have the preference. If the preference is repeated, the first one counts. Ignores parameters and malformed preferences.
 *
 * @see {@link https://www.rfc-editor.org/rfc/rfc7240#section-2 RFC 7240 section 2}
 */
function preferenceOf(request: Request, name: string): string | undefined {
  const elements = request.header('Prefer')?.match(listElement) ?? [];
  const preferences = elements.map((element) => preference.exec(element)?.groups);
  const first = preferences.find((groups) => groups?.name?.toLowerCase() === name);
  return first && unquoted(first.value ?? '');
}

function unquoted(value: string): string {
  return value.startsWith('"') ? value.slice(1, -1).replace(/\\(.)/g, '$1') : value;
}

/** Returns the limits of the wait that the client prefers. */
export function waitLimits(request: Request): WaitLimits {
  return { seconds: waitSeconds(request), timeLeftMs: request.timeLeftMs };
}

/**
 * Returns the header field that lists the preferences that the service has applied to a request. Returns none if the request does
 * not have these preferences.
 *
 * @param names the preferences that the service applies to such a request
 * @see {@link https://www.rfc-editor.org/rfc/rfc7240#section-3 RFC 7240 section 3}
 */
export function preferenceApplied(
  request: Request,
  ...names: ('respond-async' | 'wait')[]
): { 'Preference-Applied'?: string } {
  const seconds = waitSeconds(request);
  const applied = {
    'respond-async': prefersAsync(request) && 'respond-async',
    wait: seconds > 0 && `wait=${seconds}`,
  };
  const list = names.map((name) => applied[name]).filter(Boolean);
  return list.length > 0 ? { 'Preference-Applied': list.join(', ') } : {};
}

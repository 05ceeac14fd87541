import { maxWaitSeconds } from '../contract/waiting.ts';
import type { WaitLimits } from '../domain/waiting/wait.ts';
import type { Request } from './request.ts';

const token = "[!#$%&'*+.^_`|~\\w-]+";
const word = `(?:${token}|"(?:[^"\\\\]|\\\\.)*")`;
const equals = '[ \\t]*=[ \\t]*';

/** A comma in a quoted string does not end the element, and a quoted string may lack its closing quote. */
const listElement = /(?:[^",]|"(?:[^"\\]|\\.?)*"?)+/g;

/** The name, the value and the parameters of a preference: https://www.rfc-editor.org/rfc/rfc7240#section-2 */
const preference = new RegExp(
  `^[ \\t]*(?<name>${token})(?:${equals}(?<value>${word}))?(?:[ \\t]*;(?:[ \\t]*${token}(?:${equals}${word})?)?)*[ \\t]*$`,
);

/** Ignores `respond-async` with a value, because none is defined: https://www.rfc-editor.org/rfc/rfc7240#section-4.1 */
export function prefersAsync(request: Request): boolean {
  return preferenceOf(request, 'respond-async') === '';
}

/** 0 unless the client prefers to wait a whole number of seconds: https://www.rfc-editor.org/rfc/rfc7240#section-4.3 */
function waitSeconds(request: Request): number {
  const value = preferenceOf(request, 'wait') ?? '';
  return /^\d+$/.test(value) ? Math.min(Number(value), maxWaitSeconds) : 0;
}

/** Empty if the preference has no value. Of repeated ones, the first counts: https://www.rfc-editor.org/rfc/rfc7240#section-2 */
function preferenceOf(request: Request, name: string): string | undefined {
  const elements = request.header('Prefer')?.match(listElement) ?? [];
  const preferences = elements.map((element) => preference.exec(element)?.groups);
  const first = preferences.find((groups) => groups?.name?.toLowerCase() === name);
  return first && unquoted(first.value ?? '');
}

function unquoted(value: string): string {
  return value.startsWith('"') ? value.slice(1, -1).replace(/\\(.)/g, '$1') : value;
}

export function waitLimits(request: Request): WaitLimits {
  return { seconds: waitSeconds(request), timeLeftMs: request.timeLeftMs };
}

/**
 * @param names the preferences that the service applies to the request, if present
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

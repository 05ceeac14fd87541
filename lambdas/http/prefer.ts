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

/** Empty if the preference has no value. Of repeated ones, the first counts: https://www.rfc-editor.org/rfc/rfc7240#section-2 */
export function preferenceOf(request: Request, name: string): string | undefined {
  const elements = request.header('Prefer')?.match(listElement) ?? [];
  const preferences = elements.map((element) => preference.exec(element)?.groups);
  const first = preferences.find((groups) => groups?.name?.toLowerCase() === name);
  return first && unquoted(first.value ?? '');
}

function unquoted(value: string): string {
  return value.startsWith('"') ? value.slice(1, -1).replace(/\\(.)/g, '$1') : value;
}

/**
 * @param preferences those that the service applies to the request; false for one that the request lacks
 * @see {@link https://www.rfc-editor.org/rfc/rfc7240#section-3 RFC 7240 section 3}
 */
export function preferenceApplied(...preferences: readonly (string | false)[]): {
  'Preference-Applied'?: string;
} {
  const applied = preferences.filter((preference) => preference !== false);
  return applied.length > 0 ? { 'Preference-Applied': applied.join(', ') } : {};
}

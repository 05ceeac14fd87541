import * as v from 'valibot';
import {
  type ByKind,
  type DogSettings,
  mapSettings,
  type Setting,
  type SettingName,
  type SettingValue,
  type SettingWith,
  settingOf,
} from '../../contract/dog-settings.ts';
import {
  emailAddress,
  isEmailAddress,
  maxAddressLength,
  maxLocalPartLength,
} from '../../contract/email-address.ts';
import { documentOf, readOnly, readOnlyId, unicodeText } from '../platform/document.ts';
import { type Effect, knownSettings, mailboxOf } from './dog.ts';

const schemas: ByKind<v.GenericSchema> = {
  text: textSchema,
  integer: integerSchema,
  boolean: () => v.boolean('must be true or false'),
  choice: ({ choices }) => v.picklist(choices, `must be ${choices.join(' or ')}`),
  choices: choicesSchema,
  texts: textsSchema,
};

export function requestSchema(setting: Setting): v.GenericSchema {
  return schemas[setting.kind](setting as never);
}

function textSchema({ maxLength, format }: Setting<'text'>): v.GenericSchema<string> {
  if (!format) return unicodeText(maxLength);
  const text = v.pipe(
    v.string('must be a string'),
    v.maxLength(maxLength, `must have at most ${maxLength} characters`),
  );
  if (format === 'uri-reference') return v.pipe(text, uriReference);
  return v.pipe(
    text,
    v.regex(emailAddress, 'must be an email address'),
    v.check(
      (address) => address.length > maxLength || address.indexOf('@') <= maxLocalPartLength,
      `must have at most ${maxLocalPartLength} characters before the @`,
    ),
  );
}

/**
 * Checks the characters of a URI reference, but not its structure; see
 * {@link https://www.rfc-editor.org/rfc/rfc3986#section-4.1 RFC 3986 section 4.1}.
 */
const uriReference = v.regex<string, string>(
  // biome-ignore lint/complexity/noUselessEscapeInRegex: in Rust, a bracket in a class begins a nested class
  /^(?:[A-Za-z0-9\-._~:/?#\[\]@!$&'()*+,;=]|%[0-9A-Fa-f]{2})+$/,
  'must be a URI reference, such as mailto:owner@example.com',
);

function integerSchema({ minimum, maximum }: Setting<'integer'>): v.GenericSchema<number> {
  const rule = `must be an integer from ${minimum} to ${maximum}`;
  return v.pipe(v.number(rule), v.integer(rule), v.minValue(minimum, rule), v.maxValue(maximum, rule));
}

function choicesSchema({ choices, entry }: Setting<'choices'>) {
  const names = choices.join(', ');
  return v.pipe(
    v.array(v.picklist(choices, `must be one of ${names}`), `must be a list of ${entry}s: ${names}`),
    ...rulesOfList(entry),
    v.transform((list) => choices.filter((choice) => list.includes(choice))),
  );
}

function textsSchema({ entry, maxLength, maxItems }: Setting<'texts'>) {
  return v.pipe(
    v.array(v.pipe(unicodeText(maxLength), separable), `must be a list of ${entry}s`),
    ...rulesOfList(entry),
    v.maxLength(maxItems, `must contain at most ${maxItems} ${entry}s`),
  );
}

/** A dog without entries lacks the setting, so that forms and the CLI need not distinguish the two. */
function rulesOfList(entry: string) {
  return [
    v.minLength<string[], 1, string>(1, `must contain at least one ${entry}`),
    v.check<string[], string>((list) => new Set(list).size === list.length, 'must not contain duplicates'),
    v.metadata<string[], { uniqueItems: true }>({ uniqueItems: true }),
  ] as const;
}

/** The CLI separates entries with commas, and the console with line breaks. Both ignore spaces around an entry. */
const separable = v.regex<string, string>(
  /^(?:[^, \r\n](?:[^,\r\n]*[^, \r\n])?)?$/,
  'must not contain a comma or a line break, and must not begin or end with a space',
);

/** The JSON Schema for a check that the valibot schema contains as a function. */
function whereEffect(effect: Effect, rule: object): object {
  const named = {
    required: ['barkEffects'],
    properties: { barkEffects: { contains: { type: 'string', const: effect } } },
  };
  // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
  return { if: named, then: rule };
}

/** The specification requires the service to notify owners asynchronously. */
function usualHandling(barkEffects: readonly Effect[]): DogSettings['barkHandling'] {
  return barkEffects.includes('emailOwner') ? 'async' : 'sync';
}

/** The JSON Schema for the length, which one pattern cannot express together with the characters. */
const lengthOfLocalPart = {
  if: { required: ['email'], properties: { email: {} } },
  // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
  then: { properties: { email: { pattern: `^[^@]{1,${maxLocalPartLength}}@` } } },
};

type RequestEntries = {
  [Name in SettingName]: v.OptionalSchema<
    v.GenericSchema<SettingValue<Name>>,
    Name extends SettingWith<'default'> ? SettingValue<Name> : undefined
  >;
};

function requestEntries(descriptions?: Readonly<Record<SettingName, string>>): RequestEntries {
  return mapSettings((name) => {
    const setting = settingOf(name);
    const schema = requestSchema(setting);
    return v.optional(
      descriptions ? v.pipe(schema, v.description(descriptions[name])) : schema,
      setting.default,
    );
  }) as unknown as RequestEntries;
}

/**
 * Includes the read-only members, which clients may send back.
 *
 * @param descriptions the descriptions of the settings, which only the API description needs
 */
export function dogPutDocument(descriptions?: Readonly<Record<SettingName, string>>) {
  return putDocument(requestEntries(descriptions), (owner) => isEmailAddress(mailboxOf(owner) ?? ''));
}

/** Also accepts addresses that version 1.1.0 accepted, such as `a..b@example.com`: a dog that already has one may keep it. */
export function storedDogDocument() {
  const email = v.pipe(v.string(), v.maxLength(maxAddressLength), v.rfcEmail());
  return putDocument(
    { ...requestEntries(), email: v.optional(email) },
    (owner) => mailboxOf(owner) !== undefined,
  );
}

/** No request changes these fields, but clients may send back the dog that GET returned. */
export const readOnlyFields = {
  id: readOnlyId,
  barkCount: readOnly({ type: 'integer' }),
  barking: readOnly({ type: 'boolean' }),
  suspended: readOnly({ type: 'array', items: { type: 'object', additionalProperties: true } }),
};

function putDocument(entries: RequestEntries, isMailto: (owner: string | undefined) => boolean) {
  return v.pipe(
    documentOf({
      ...entries,
      ...readOnlyFields,
      barks: readOnly({ type: 'object', additionalProperties: true }),
    }),
    v.forward(
      v.partialCheck(
        [['email'], ['barkEffects']],
        ({ email, barkEffects }) => email !== undefined || !barkEffects.includes('emailDog'),
        'is required by the emailDog effect',
      ),
      ['email'],
    ),
    v.forward(
      v.partialCheck(
        [['owner'], ['barkEffects']],
        ({ owner, barkEffects }) => isMailto(owner) || !barkEffects.includes('emailOwner'),
        'must be a mailto: URI with exactly one address and no header fields, because the effect emailOwner requires one',
      ),
      ['owner'],
    ),
    v.metadata({
      allOf: [
        whereEffect('emailDog', { required: ['email'], properties: { email: {} } }),
        whereEffect('emailOwner', {
          required: ['owner'],
          properties: { owner: { pattern: '^[Mm][Aa][Ii][Ll][Tt][Oo]:[^?,#]+$' } },
        }),
        lengthOfLocalPart,
      ],
    }),
    v.transform(({ id, ...document }): { id: unknown; settings: DogSettings } => {
      const barkHandling = document.barkHandling ?? usualHandling(document.barkEffects);
      return { id, settings: knownSettings({ ...document, barkHandling }) };
    }),
  );
}

export const DogPutDocument = dogPutDocument();

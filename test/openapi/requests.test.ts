import '../support/settings-of-each-kind.ts';

import fc, { type Arbitrary } from 'fast-check';
import type { GenericSchema } from 'valibot';
import { longestFrequency, shortestFrequency } from '../../lambdas/contract/bark-schedule.ts';
import {
  type ByKind,
  type SettingName,
  settingNames,
  settingOf,
  settingTexts,
} from '../../lambdas/contract/dog-settings.ts';
import { BarkDocument } from '../../lambdas/domain/barks/schema.ts';
import { DogPutDocument } from '../../lambdas/domain/dogs/schema.ts';
import { BarkScheduleDocument, DogPatchDocument } from '../../lambdas/domain/schedules/schema.ts';
import { idempotencyKey as idempotencyKeyOf } from '../../lambdas/http/idempotency-key.ts';
import { validate } from '../../lambdas/http/json-body.ts';
import { InvalidRequest, tokenRequestOf } from '../../lambdas/http/oauth.ts';
import { type FieldError, Problem } from '../../lambdas/http/problem.ts';
import type { Request } from '../../lambdas/http/request.ts';
import { openApiDocument } from '../../openapi/document.ts';
import { idempotencyKey } from '../../openapi/parameters.ts';
import { basic } from '../support/client.ts';
import { Contract } from '../support/contract.ts';
import { shippedNames } from '../support/settings-of-each-kind.ts';
import { anyText, nearlyUrl } from '../support/texts.ts';

const frequencyBounds = [shortestFrequency, longestFrequency].flatMap((bound) => [
  bound - 1,
  bound,
  bound + 1,
]);

/** The number of random values for each schema. */
const numRuns = process.env.TESTS === 'all' ? 1_000 : 200;

const document = openApiDocument();
const contract = new Contract(document, []);
const validators = new Map(
  ['DogRequest', 'BarkRequest', 'BarkScheduleRequest', 'SchedulePatch', 'TokenRequest'].map((name) => [
    name,
    contract.validatorOf({ $ref: `#/components/schemas/${name}` }),
  ]),
);
const accepts = (name: string, value: unknown) => validators.get(name)?.(value);

function errorsOf(schema: GenericSchema, value: unknown): readonly FieldError[] {
  try {
    validate(schema, value);
    return [];
  } catch (error) {
    if (error instanceof Problem) return error.errors;
    throw error;
  }
}

/**
 * True for what JSON Schema cannot express: a mailto: URI without an address, a name that reaches a prototype, and unpaired
 * surrogates.
 */
function isInexpressible({ pointer, detail }: FieldError, sent: unknown): boolean {
  const { owner, ...fields } = (sent ?? {}) as Readonly<Record<string, unknown>>;
  const [, name = '', index] = pointer.split('/');
  const text = index === undefined ? fields[name] : (fields[name] as unknown[] | undefined)?.[Number(index)];
  return (
    (detail === 'must be Unicode text without unpaired surrogates' &&
      typeof text === 'string' &&
      !text.isWellFormed()) ||
    (pointer === '/owner' && typeof owner === 'string' && /^mailto:[^?,#]+$/i.test(owner)) ||
    /^\/(barks|barking|barkCount|id)\/.*(__proto__|constructor|prototype)/.test(pointer)
  );
}

/**
 * Removes the read-only fields from a document. The service ignores them, whatever their values, while the schema states the types
 * that GET returns.
 */
function withoutReadOnly(value: unknown, { properties = {}, anyOf = [] }: Fields): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  const fields = Object.assign({}, properties, ...anyOf.map((one) => one.properties));
  const entries = Object.entries(value).filter(
    ([name]) => !(Object.hasOwn(fields, name) && fields[name].readOnly),
  );
  return Object.fromEntries(
    entries.map(([name, member]) => [
      name,
      Object.hasOwn(fields, name) ? withoutReadOnly(member, fields[name]) : member,
    ]),
  );
}

interface Fields {
  readonly readOnly?: boolean;
  readonly properties?: Readonly<Record<string, Fields>>;
  readonly anyOf?: readonly Fields[];
}

/** Checks that the schema of the OpenAPI document accepts a document if and only if the service accepts it. */
function expectSame(name: string, schema: GenericSchema, value: unknown): void {
  // The service receives JSON.
  const sent = JSON.parse(JSON.stringify(value) ?? 'null');
  const errors = errorsOf(schema, sent);
  const accepted = errors.every((error) => isInexpressible(error, sent));
  const stated = withoutReadOnly(sent, document.components.schemas[name] as Fields);
  expect({ sent, errors, accepted: accepts(name, stated) }).toEqual({ sent, errors, accepted });
}

const anyJson = fc.jsonValue();
const oneOf = (...values: unknown[]) => fc.constantFrom(...values);

/** Generates objects whose fields are valid, invalid or missing, and sometimes unknown. */
function objectOf(fields: Record<string, Arbitrary<unknown>>): Arbitrary<unknown> {
  const members = Object.entries(fields).map(([name, value]) => [
    name,
    fc.oneof({ weight: 6, arbitrary: value }, { weight: 1, arbitrary: anyJson }),
  ]);
  const known = fc.record(Object.fromEntries(members), { requiredKeys: [] });
  const others = fc.oneof(
    { weight: 9, arbitrary: fc.constant({}) },
    { weight: 1, arbitrary: fc.dictionary(fc.string(), anyJson, { maxKeys: 2 }) },
  );
  const object = fc.tuple(known, others).map(([one, other]) => ({ ...other, ...one }));
  return fc.oneof({ weight: 12, arbitrary: object }, { weight: 1, arbitrary: anyJson });
}

const numbers = fc.oneof(
  fc.integer(),
  fc.double(),
  oneOf(0, -0, -1, 0.5, ...frequencyBounds, 1e300, 2 ** 53 - 1, 2 ** 53, -(2 ** 53) + 1, -(2 ** 53)),
);
const mailOf = (length: number) => `${'x'.repeat(length - '@example.com'.length)}@example.com`;
const mails = oneOf(
  'rex@example.com',
  'rex',
  'rex@',
  'Rex <rex@example.com>',
  '',
  'ä@example.com',
  mailOf(254),
  mailOf(255),
  mailOf(64 + '@example.com'.length),
  mailOf(65 + '@example.com'.length),
  'a..b@example.com',
  '.a@example.com',
  'a.@example.com',
);
const owners = fc.oneof(
  nearlyUrl,
  fc.string(),
  oneOf(
    'mailto:rex@example.com',
    'MAILTO:rex@example.com',
    'mailto:',
    'mailto:rex',
    'mailto:a..b@example.com',
    'mailto:rex@example.com?subject=hi',
    'mailto:rex@example.com,max@example.com',
    'mailto:rex@example.com%2Cmax@example.com',
    'mailto:%ff@example.com',
    '%zz',
    'a b',
    `https://example.com/${'x'.repeat(2048)}`,
  ),
);
const textsOf = (maxLength: number) =>
  fc.oneof(
    anyText,
    oneOf(
      '',
      'x',
      'x'.repeat(maxLength),
      'x'.repeat(maxLength + 1),
      '🐶'.repeat(maxLength),
      '🐶'.repeat(maxLength + 1),
      '\ud800',
      'a\udc00',
      `${'x'.repeat(maxLength)}\ud800`,
      'one\r\ntwo\u0000',
    ),
  );

/** Valid and invalid values. */
const values: ByKind<Arbitrary<unknown>> = {
  text: ({ maxLength }) => textsOf(maxLength),
  integer: ({ minimum, maximum }) =>
    fc.oneof(numbers, oneOf(minimum - 1, minimum, minimum + 0.5, maximum, maximum + 1, String(minimum))),
  boolean: () => oneOf(true, false, 'true'),
  choice: ({ choices }) => oneOf(...choices, 'other', null),
  choices: ({ choices }) =>
    fc.oneof(fc.subarray([...choices]), fc.array(oneOf(...choices, 'other', null), { maxLength: 5 })),
  texts: ({ maxLength, maxItems }) => {
    const entry = fc.oneof(textsOf(maxLength), oneOf('a,b', ' a', 'a ', 'a b', ',', ' ', 'a\nb'));
    return fc.array(entry, { maxLength: maxItems + 1 });
  },
};

/** These have rules of their own. */
const addresses: Readonly<Partial<Record<SettingName, Arbitrary<unknown>>>> = { email: mails, owner: owners };

function valuesOf(name: SettingName): Arbitrary<unknown> {
  const setting = settingOf(name);
  return addresses[name] ?? values[setting.kind](setting as never);
}

const documents: [string, GenericSchema, Arbitrary<unknown>][] = [
  [
    'DogRequest',
    DogPutDocument,
    objectOf({
      ...Object.fromEntries(shippedNames.map((name) => [name, valuesOf(name)])),
      id: anyJson,
      barkCount: anyJson,
      barking: anyJson,
      barks: anyJson,
    }),
  ],
  ['BarkRequest', BarkDocument, objectOf({ message: textsOf(1000) })],
  [
    'BarkScheduleRequest',
    BarkScheduleDocument,
    objectOf({ token: numbers, next: numbers, frequency: fc.oneof(numbers, oneOf(null)) }),
  ],
  [
    'SchedulePatch',
    DogPatchDocument,
    objectOf({
      barks: fc.oneof(
        objectOf({
          next: fc.oneof(numbers, oneOf(null)),
          frequency: fc.oneof(numbers, oneOf(null)),
          previous: anyJson,
        }),
        oneOf(null),
      ),
      id: anyJson,
      barking: anyJson,
    }),
  ],
];

describe.each(documents)('The schema %s of the OpenAPI document', (name, schema, values) => {
  test('accepts exactly the values that the service accepts', () => {
    fc.assert(
      fc.property(values, (value) => expectSame(name, schema, value)),
      { numRuns },
    );
  });
});

test.each(settingNames)(
  'The schema DogRequest accepts exactly the values of %s that the service accepts',
  (name) => {
    expect(errorsOf(DogPutDocument, { [name]: settingTexts[name].example })).toEqual([]);
    fc.assert(
      fc.property(valuesOf(name), (value) => expectSame('DogRequest', DogPutDocument, { [name]: value })),
      { numRuns },
    );
  },
);

test.each(settingNames)(
  'The schema SchedulePatch rejects the field %s, which only PUT can change',
  (field) => {
    expectSame('SchedulePatch', DogPatchDocument, { barks: null, [field]: 'x' });
  },
);

describe('The schema TokenRequest', () => {
  /** Returns true if the service accepts the parameters. If the body has no secret, the client sends it in the header. */
  function isAccepted(parameters: object): boolean {
    const authorization = 'client_secret' in parameters ? undefined : basic('walker', 'secret');
    const request = {
      method: 'POST',
      bytes: () => Buffer.from(JSON.stringify(parameters)),
      header: (name: string) => (name === 'Authorization' ? authorization : 'application/json'),
    };
    try {
      return tokenRequestOf(request as unknown as Request).grantType === 'refresh_token';
    } catch (error) {
      if (error instanceof InvalidRequest) return false;
      throw error;
    }
  }

  test('accepts exactly the parameters that the endpoint accepts', () => {
    const parameter = (...values: unknown[]) =>
      fc.oneof(
        oneOf(...values),
        anyJson.filter((value) => value !== ''),
      );
    const requests = fc.record(
      {
        grant_type: parameter('refresh_token', 'refresh_token', 'authorization_code'),
        refresh_token: parameter('token', 'token', ''),
        client_id: parameter('walker'),
        client_secret: parameter('secret'),
        scope: anyJson,
      },
      { requiredKeys: [] },
    );
    fc.assert(
      fc.property(requests, (one) => {
        const other =
          typeof one.client_id === 'string' && one.client_id !== 'walker' && !('client_secret' in one);
        fc.pre(!other); // the header has the ID of another client
        expect({ one, accepted: accepts('TokenRequest', one) }).toEqual({ one, accepted: isAccepted(one) });
      }),
      { numRuns },
    );
  });
});

describe('The schema of Idempotency-Key', () => {
  const matches = (field: string) => contract.validatorOf(idempotencyKey.schema)(field);
  const isAccepted = (field: string) => {
    try {
      return idempotencyKeyOf({ header: () => field } as unknown as Request, 'barks') !== undefined;
    } catch (error) {
      if (error instanceof Problem) return false;
      throw error;
    }
  };
  const quoted = fc
    .string({
      unit: fc.oneof(oneOf('a', ' ', '\\"', '\\\\', '"', '\\', 'ä') as Arbitrary<string>),
      maxLength: 300,
    })
    .map((text) => `"${text}"`);

  test('accepts exactly the values that the service accepts', () => {
    // White space around the value of a field is not part of the value.
    const fields = fc.oneof(quoted, anyText).filter((field) => field === field.trim());
    fc.assert(
      fc.property(fields, (field) =>
        expect({ field, accepted: matches(field) }).toEqual({ field, accepted: isAccepted(field) }),
      ),
      { numRuns: 2 * numRuns },
    );
  });

  test.each([
    [`"${'x'.repeat(255)}"`, true],
    [`"${'x'.repeat(256)}"`, false],
    [`"${'\\"'.repeat(255)}"`, true],
  ])('accepts %s: %s', (field, verdict) => {
    expect([matches(field), isAccepted(field)]).toEqual([verdict, verdict]);
  });
});

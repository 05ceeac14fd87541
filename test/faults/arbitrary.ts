import type { APIGatewayProxyEvent } from 'aws-lambda';
import fc from 'fast-check';
import { formTexts, mapSettings } from '../../lambdas/contract/dog-settings.ts';
import { sampleEvent } from '../../tools/invocation.ts';

/** Strings that have a special meaning in some format, or that break some parsers. */
const notorious = [
  '',
  ' ',
  '*',
  '.',
  '..',
  '/',
  'a/b',
  '%2F',
  '%',
  '\0',
  '\r\nX-Injected: yes',
  '\ud800',
  '\udfff\ud800',
  '\ufeff',
  '🐶',
  '__proto__',
  'constructor',
  'toString',
  '[object Object]',
  'null',
  'x'.repeat(3_000),
];

/** Arbitrary strings, including those with unpaired surrogates. */
export const text = fc.oneof(
  fc.string(),
  fc.string({ unit: 'binary' }),
  fc.array(fc.nat(0xffff)).map((units) => String.fromCharCode(...units)),
  fc.constantFrom(...notorious),
);

/** JSON numbers that a parser may round, overflow or read as an integer. */
const numerals = [
  '-0',
  '1e400',
  '-1e400',
  '1e308',
  '5e-324',
  '9007199254740993',
  '1.0000000000000001',
  '0.1',
  '4294967296',
  '253402300800',
  '1e21',
  '-1',
  '0',
  '525601',
];
const numeral = fc.constantFrom(...numerals).map((digits) => `numeral:${digits}`);

/** Returns a document as JSON, with its numerals written as numbers. */
function jsonOf(document: unknown): string {
  return (JSON.stringify(document) ?? '').replace(/"numeral:([^"]+)"/g, '$1');
}

const anyJson = fc.oneof(
  fc.jsonValue(),
  fc.jsonValue({ stringUnit: 'binary' }),
  numeral,
  text,
  fc.emailAddress(),
);

export const anyEvent = anyJson.map((value) => JSON.parse(jsonOf(value)) as unknown);

function placesIn(document: unknown, place: readonly string[] = []): (readonly string[])[] {
  if (typeof document !== 'object' || document === null) return [place];
  return [place, ...Object.entries(document).flatMap(([name, member]) => placesIn(member, [...place, name]))];
}

/** Returns a copy of a document with another value at a path. If the value is undefined, the copy lacks that member. */
export function withValue(document: unknown, [name, ...rest]: readonly string[], value: unknown): unknown {
  if (name === undefined) return value;
  if (typeof document !== 'object' || document === null) return document;
  const members = Object.entries(document).flatMap(([key, member]) => {
    if (key !== name) return [[key, member]];
    const changed = withValue(member, rest, value);
    return changed === undefined ? [] : [[key, changed]];
  });
  return Array.isArray(document)
    ? members.map(([, member]) => member)
    : Object.fromEntries(members as [string, unknown][]);
}

/** Returns copies of a document in which up to three members are absent or have other values. They may have an unknown member. */
function nearly(document: object): fc.Arbitrary<unknown> {
  const other = fc.dictionary(text, anyJson, { minKeys: 1, maxKeys: 1 });
  const value = fc.option(anyJson, { nil: undefined, freq: 4 });
  const changes = fc.array(fc.tuple(fc.constantFrom(...placesIn(document)), value), { maxLength: 3 });
  return fc
    .tuple(fc.option(other, { freq: 4 }), changes)
    .map(([member, all]) =>
      all.reduce<unknown>((copy, [place, to]) => withValue(copy, place, to), { ...document, ...member }),
    );
}

const deep = '['.repeat(30_000);
const hugeBodies = [
  ' '.repeat(65_536),
  `"${'é'.repeat(40_000)}"`,
  `${deep}${deep.replaceAll('[', ']')}`,
  `${'{"a":'.repeat(10_000)}1${'}'.repeat(10_000)}`,
];

function formOf(document: unknown): string {
  const fields = Object.entries(Object(document)).map(([name, value]) => [
    name,
    typeof value === 'string' ? value : jsonOf(value),
  ]);
  return new URLSearchParams(Object.fromEntries(fields)).toString();
}

/** The members that a sample body lacks, among them each setting. */
const optional: Partial<Record<string, object>> = {
  PutDog: { ...mapSettings((name) => formTexts[name].example), id: 'rex' },
};

function bodyOf(name: string, sample: string | null): fc.Arbitrary<string | null> {
  const isJson = sample?.startsWith('{');
  const valid = isJson ? JSON.parse(sample ?? '') : Object.fromEntries(new URLSearchParams(sample ?? ''));
  const document = sample === null ? anyJson : nearly({ ...valid, ...optional[name] });
  return fc.oneof(
    { weight: 8, arbitrary: document.map(jsonOf) },
    // A truncated document, and one with text after it.
    {
      weight: 1,
      arbitrary: fc.tuple(document.map(jsonOf), fc.nat(40)).map(([json, end]) => json.slice(0, end)),
    },
    { weight: 1, arbitrary: fc.tuple(document.map(jsonOf), text).map((parts) => parts.join('')) },
    { weight: 1, arbitrary: document.map(formOf) },
    { weight: 2, arbitrary: text },
    { weight: 1, arbitrary: fc.constantFrom(...hugeBodies) },
    { weight: 1, arbitrary: fc.constant(null) },
  );
}

/** The headers that the functions read, each with examples of valid values. */
const headers: Readonly<Record<string, fc.Arbitrary<string>>> = {
  Accept: fc.constantFrom('*/*', 'application/json', 'text/html;q=0', ',;=,"', `${'a/b,'.repeat(2_000)}`),
  Authorization: fc.constantFrom('Basic d2Fsa2VyOng=', 'Basic', 'Basic Og==', 'Bearer x'),
  'Content-Type': fc.constantFrom(
    'application/json',
    'application/json ; charset=utf-16',
    'application/merge-patch+json',
    'application/x-www-form-urlencoded',
    'text/plain',
    ';',
  ),
  'Idempotency-Key': fc.constantFrom('"a"', '"\\""', 'a', '""', '"a", "b"', '"'.repeat(999)),
  'If-Match': fc.constantFrom('*', '"x"', 'W/"x"', `"${'0'.repeat(26)}.1.x"`, '"a", , "b"', '"'.repeat(999)),
  'If-None-Match': fc.constantFrom('*', '"x"', '"', ',,,'),
  'If-Unmodified-Since': fc
    .integer({ min: -90_000, max: 400 })
    .map((age) => new Date(Date.now() + age * 1000).toUTCString()),
  Prefer: fc.constantFrom(
    'respond-async',
    'wait=1', // @extension waiting
    `respond-async, wait=${'9'.repeat(400)}`, // @extension waiting
    ';;=,,',
  ),
  'X-Forwarded-Proto': fc.constantFrom('https', 'http', 'gopher'),
};

const headerLines = fc
  .array(
    fc.oneof(
      ...Object.entries(headers).map(([name, right]) =>
        fc.tuple(
          fc.constantFrom(name, name, name.toLowerCase(), name.toUpperCase()),
          fc.oneof({ weight: 5, arbitrary: right }, { weight: 1, arbitrary: text }),
        ),
      ),
      fc.tuple(text, text),
    ),
    { maxLength: 8 },
  )
  .chain((lines) => fc.constantFrom(lines, [...lines, ...lines]));

/** Headers in the format of API Gateway: the last value and all values of each name. API Gateway's console sends none. */
const headerFields = fc.oneof(
  {
    weight: 12,
    arbitrary: headerLines.map((lines) => ({
      headers: Object.fromEntries(lines),
      multiValueHeaders: Object.fromEntries(
        Object.entries(Object.groupBy(lines, ([name]) => name)).map(([name, group = []]) => [
          name,
          group.map(([, value]) => value),
        ]),
      ),
    })),
  },
  { weight: 1, arbitrary: fc.constant({ headers: null, multiValueHeaders: null }) },
  { weight: 1, arbitrary: fc.constant({ headers: {}, multiValueHeaders: undefined }) },
);

function parametersOf(names: readonly string[], right: fc.Arbitrary<string>) {
  return fc.option(
    fc.dictionary(
      fc.constantFrom(...names),
      fc.oneof({ weight: 4, arbitrary: right }, { weight: 1, arbitrary: text }),
    ),
    { freq: 8 },
  );
}

const methods = ['GET', 'HEAD', 'PUT', 'PATCH', 'POST', 'DELETE', 'OPTIONS'] as const;

/** The request context. A client can choose the request ID in it. */
const requestContext = fc.record(
  {
    requestId: text,
    path: fc.oneof(fc.webPath(), fc.constantFrom('/', '//', '/v1/dogs//', '/base/v1/dogs/rex')),
    domainName: fc.constantFrom('dogs.example.com', 'testPrefix.testDomainName', '[::1]:3000', undefined),
    stage: fc.constantFrom('prod', 'test-invoke-stage'),
  },
  { requiredKeys: [] },
);

/** Returns events in the format of API Gateway, in which every part that a client can influence is random. */
export function eventOf(name: string, dogs: readonly string[]): fc.Arbitrary<APIGatewayProxyEvent> {
  const sample = sampleEvent(name);
  const id = fc.oneof(fc.constantFrom(...dogs), fc.stringMatching(/^[as][0-7][0-9A-HJKMNP-TV-Z]{25}$/));
  return fc
    .record({
      changes: fc.record(
        {
          path: fc.oneof(text, fc.webPath()),
          httpMethod: fc.constantFrom(...methods),
          isBase64Encoded: fc.boolean(),
          queryStringParameters: parametersOf(
            ['limit', 'after', 'action'],
            fc.oneof(
              id,
              fc.nat(200).map((limit) => String(limit)),
            ),
          ),
        },
        { requiredKeys: [] },
      ),
      pathParameters: parametersOf(['dog_id', 'bark_id'], id),
      fields: headerFields,
      body: name === 'Fallback' ? fc.option(text) : bodyOf(name, sample.body),
      context: requestContext,
    })
    .map(({ changes, pathParameters, fields, body, context }) => {
      const encoded = changes.isBase64Encoded && body !== null && body.length % 2 === 0;
      return {
        ...sample,
        ...changes,
        pathParameters,
        ...fields,
        // If isBase64Encoded is true, half of the bodies are still not Base64.
        body: encoded ? Buffer.from(body).toString('base64') : body,
        requestContext: {
          ...sample.requestContext,
          httpMethod: changes.httpMethod ?? sample.httpMethod,
          ...context,
        },
      } as APIGatewayProxyEvent;
    });
}

const base64url = (content: string) => Buffer.from(content).toString('base64url');

/** Returns a JWT that names a published key and has an invalid signature. */
function forgedToken(kid: string): fc.Arbitrary<string> {
  const header = fc
    .constantFrom('ES256', 'none', 'HS256')
    .chain((alg) => nearly({ alg, typ: 'at+jwt', kid }));
  const urn = 'urn:dogs:000000000000:us-east-1:test';
  const claims = nearly({ iss: urn, aud: urn, sub: 'jane', client_id: 'walker', exp: 4_000_000_000 });
  const signature = fc.uint8Array({ minLength: 0, maxLength: 70 }).map((bytes) => Buffer.from(bytes));
  return fc
    .tuple(header, claims, signature)
    .map(([head, payload, sign]) =>
      [base64url(jsonOf(head)), base64url(jsonOf(payload)), sign.toString('base64url')].join('.'),
    );
}

/** Returns values of the Authorization header without valid credentials. @param kid the ID of a published key */
export function noCredentials(kid: string): fc.Arbitrary<string | undefined> {
  const userPass = fc
    .tuple(fc.oneof(fc.constantFrom('jane', 'no-such-user', ''), text), fc.oneof(fc.constant(''), text))
    .map((pair) => Buffer.from(pair.join(':')).toString('base64'));
  return fc.oneof(
    fc.constant(undefined),
    text,
    userPass.map((encoded) => `Basic ${encoded}`),
    text.map((what) => `Basic ${Buffer.from(what).toString('base64')}`),
    text.map((what) => `Bearer ${what}`),
    fc.stringMatching(/^[A-Za-z0-9._~+/-]{1,60}={0,2}$/).map((token) => `Bearer ${token}`),
    forgedToken(kid).map((token) => `Bearer ${token}`),
  );
}

/** Returns a copy of an event in which one member, or the whole event, is absent or has another value. */
export function nearlyThe(event: object): fc.Arbitrary<unknown> {
  return fc
    .tuple(fc.constantFrom(...placesIn(event)), fc.option(anyEvent, { nil: undefined, freq: 4 }))
    .map(([place, value]) => withValue(event, place, value));
}

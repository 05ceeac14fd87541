import { type Case, type CaseGroup, type DogKind, invalidBody, type Refusal, tooLarge } from './case.ts';

type Row = readonly [
  name: string,
  body: string | Buffer,
  refusal: Refusal,
  /** The content type. By default, the body is JSON. */
  type?: string,
  /** The response of PATCH, if it differs because PATCH accepts all keys. */
  patched?: Refusal,
];

function notJson(error: string): Refusal {
  const detail = `The request body is not valid JSON: ${error}.`;
  return { status: 400, problem: 'invalid-json', detail };
}

const replaced = 'unexpected U+FFFD, which replaces bytes that are not UTF-8, at line 1, column 1';

const syntaxErrors: readonly Row[] = [
  ['an unclosed brace', '{', notJson('unexpected end of input at line 1, column 2')],
  ['an error on the third line', '{\n  "a": 1,\n    }', notJson('unexpected "}" at line 3, column 5')],
  ['an error after a character of two bytes', '{"é":x}', notJson('unexpected "x" at line 1, column 6')],
  ['a byte order mark', '\ufeff{}', notJson('unexpected U+FEFF at line 1, column 1')],
  ['only white space', ' \r\n\t ', notJson('unexpected end of input at line 2, column 3')],
  ['NUL after the document', '{}\0', notJson('unexpected U+0000 at line 1, column 3')],
  ['30,000 brackets', '['.repeat(30_000), notJson('unexpected end of input at line 1, column 30001')],
  ['UTF-16', Buffer.from('\ufeff{"message":"x"}', 'utf16le'), notJson(replaced)],
  [
    'gzip',
    Buffer.from('H4sIAAAAAAAAA6uuBQBDv6ajAgAAAA==', 'base64'),
    notJson('unexpected U+001F at line 1, column 1'),
  ],
  ['bytes that are not UTF-8', Buffer.from([0xff, 0xfe, 0xfd]), notJson(replaced)],
];

const noObject = invalidBody({ '': 'must be a JSON object' });

const notObjects: readonly Row[] = [
  ['an empty array', '[]', noObject],
  ['a number beyond the range of numbers', '1e400', noObject],
  ['half of a surrogate pair', '"\\ud800"', noObject],
];

function unknown(...pointers: readonly string[]): Refusal {
  return invalidBody(Object.fromEntries(pointers.map((pointer) => [pointer, 'is not a known field'])));
}

const nested = (depth: number, inner: string) => `${'{"a":'.repeat(depth)}${inner}${'}'.repeat(depth)}`;
const brackets = (depth: number) => `${'['.repeat(depth)}${']'.repeat(depth)}`;
const longName = 'a'.repeat(60_000);
const numbers = Array.from({ length: 6_000 }, (_, i) => i);

const unknownFields: readonly Row[] = [
  ['two unknown fields', '{"loud":1,"long":2}', unknown('/loud', '/long')],
  ['a field name that JSON pointers escape', '{"a/b~c":1}', unknown('/a~1b~0c')],
  ['the key constructor', '{"constructor":1}', unknown('/constructor')],
  ['the key prototype', '{"prototype":1}', unknown('/prototype')],
  ['a constructor 50 deep', nested(50, '{"constructor":1}'), unknown('/a', `${'/a'.repeat(50)}/constructor`)],
  ['a field name of 60,000 characters', `{"${longName}":1}`, unknown(`/${longName}`)],
  ['half of a surrogate pair as a field name', '{"\\ud800":1}', unknown('/\ud800')],
  ['6,000 fields', `{${numbers.map((n) => `"${n}":0`)}}`, unknown(...numbers.map((n) => `/${n}`))],
  ['an unknown field in exactly 64 KiB', '{"a":1'.padEnd(65_535).concat('}'), unknown('/a')],
];

const forbidden: Refusal = {
  status: 400,
  problem: 'forbidden-key',
  detail:
    'The request body has a forbidden key: "__proto__", or a "constructor" that contains "prototype". Remove the key.',
};
const json = 'application/json';

/** Documents that could change a prototype, or overflow a call stack. */
const dangers: readonly Row[] = [
  ['the key __proto__', '{"__proto__":{"a":1}}', forbidden, json, unknown('/__proto__')],
  ['an escaped __proto__', '{"\\u005f_proto__":{"a":1}}', forbidden, json, unknown('/__proto__')],
  ['a nested __proto__', '{"a":[{"__proto__":1}]}', forbidden, json, unknown('/a', '/a/0/__proto__')],
  ['a constructor', '{"constructor":{"prototype":{"a":1}}}', forbidden, json, unknown('/constructor')],
  ['an array 30,000 deep', brackets(30_000), noObject],
  ['an object 10,000 deep', nested(10_000, '1'), unknown('/a')],
  [
    'a __proto__ 5,000 deep',
    nested(5_000, '{"__proto__":1}'),
    forbidden,
    json,
    unknown('/a', `${'/a'.repeat(5_000)}/__proto__`),
  ],
];

const unsupported: Refusal = { status: 415, problem: 'unsupported-media-type' };

const wrongTypes: readonly Row[] = [
  ['a form', 'message=x', unsupported, 'application/x-www-form-urlencoded'],
  ['JSON with the type text/plain', '{}', unsupported, 'text/plain'],
  ['JSON without a content type', '{}', unsupported, ''],
  ['a type that begins with application/json', '{}', unsupported, 'application/jsonlines'],
  ['two content types', '{}', unsupported, 'application/json, text/plain'],
];

const large = tooLarge(65_537);

const largeBodies: readonly Row[] = [
  ['65,537 bytes', '{}'.padEnd(65_537), large],
  ['65,537 bytes that are fewer characters', `"${'é'.repeat(32_767)}x"`, large],
  ['65,537 bytes without a content type', '{}'.padEnd(65_537), large, ''],
];

const documents = [
  ...syntaxErrors,
  ...notObjects,
  ...unknownFields,
  ...dangers,
  ...wrongTypes,
  ...largeBodies,
];

const empty: Refusal = {
  status: 400,
  problem: 'empty-body',
  detail: 'The request body is empty. Send a JSON object.',
};
const noBody: Row = ['no body', '', empty];
const nullBody: Row = ['null', 'null', noObject];
const noBodies: readonly Row[] = [noBody, ['no body and another type', '', empty, 'text/plain'], nullBody];
const jsonPatch: Row = ['a JSON Patch', '[]', unsupported, 'application/json-patch+json'];

/** Adds the header with the accepted media types to a 415 response. */
function accepting(header: string, types: readonly string[], refusal: Refusal): Refusal {
  if (refusal.problem !== 'unsupported-media-type') return refusal;
  const detail = `The request body must be JSON. Send it with Content-Type: ${types.join(' or ')}.`;
  return { ...refusal, detail, headers: { [header]: types.join(', ') } };
}

const ofPost = (refusal: Refusal) => accepting('Accept-Post', [json], refusal);
const ofPut = (refusal: Refusal) => accepting('Accept', [json], refusal);

/** Returns the response to a bark schedule. An object without known fields lacks the two required ones. */
function ofSchedule(refusal: Refusal): Refusal {
  const { errors } = refusal;
  if (!errors || '' in errors) return ofPost(refusal);
  return invalidBody({ ...errors, '/token': 'is required', '/next': 'is required' });
}

function ofPatch({ status }: Refusal, patched: Refusal): Refusal {
  const refusal = accepting('Accept-Patch', [json, 'application/merge-patch+json'], patched);
  return { ...refusal, status: status === 413 ? 413 : 403 };
}

const noObjectOfParameters = 'The request body must be a JSON object.';
const missing = (name: string) => `The parameter ${name} is missing.`;

/** Returns the response of the token endpoint, which accepts all keys, and looks for its parameters. */
function ofToken(_: Refusal, { status, detail = '', errors }: Refusal): Refusal {
  const refused = { status: status === 413 ? 413 : 400, oauthError: 'invalid_request' };
  if (!errors) return { ...refused, detail: detail.replaceAll('"', "'") };
  return { ...refused, detail: '' in errors ? noObjectOfParameters : missing('client_id') };
}

const form = 'application/x-www-form-urlencoded';
const parameters = 'grant_type=refresh_token&client_id=x&client_secret=y&refresh_token=z';
const invalidForm = (detail: string): Refusal => ({ status: 400, detail });
const twice = invalidForm('The request has the parameter client_id more than once. Send it once.');
const withoutId = invalidForm(missing('client_id'));

/** Forms that the token endpoint refuses before it looks for the client. */
const invalidForms: readonly Row[] = [
  ['a parameter twice', `${parameters}&client_id=x`, twice, form],
  ['a parameter twice, encoded once', `${parameters}&client%5Fid=x`, twice, form],
  ['a parameter that is an array', parameters.replace('client_id', 'client_id[]'), withoutId, form],
  ['a prototype of the form', '__proto__[client_id]=x&constructor=y', withoutId, form],
  ['20,000 parameters', 'a=&'.repeat(20_000), withoutId, form],
  ['a form in UTF-16', Buffer.from(parameters, 'utf16le'), withoutId, `${form};charset=utf-16`],
];

function groupOf(
  request: string,
  dogs: readonly DogKind[],
  rows: readonly Row[],
  respond: (refusal: Refusal, patched: Refusal) => Refusal,
  more: Partial<Case> = {},
): CaseGroup {
  const cases = rows.map(([name, body, refusal, type = json, patched = refusal]) => ({
    name,
    request,
    body: body.length > 0 ? body : undefined,
    ...respond(refusal, patched),
    fields: { ...more.fields, 'Content-Type': type },
  }));
  return { title: `${request} with a body that every operation refuses`, dogs, cases };
}

/** The bodies that each operation with a JSON document refuses. */
export const refusedBodies: readonly CaseGroup[] = [
  groupOf('POST {dog}barks', ['new', 'absent'], documents, ofPost),
  groupOf('POST {dog}bark', ['new'], documents, ofPost),
  groupOf('PUT {dog}', ['new', 'absent'], [...documents, ...noBodies], ofPut),
  groupOf('POST {dog}bark-schedule', ['scheduled', 'absent'], [...documents, ...noBodies], ofSchedule),
  groupOf('PATCH {dog}', ['scheduled'], [...documents, noBody, nullBody, jsonPatch], ofPatch),
  groupOf(
    'POST /oauth2/v4/token',
    ['new'],
    [...documents.filter(([, , { status }]) => status !== 415), nullBody, ...invalidForms],
    ofToken,
    { fields: { Authorization: '' } },
  ),
];

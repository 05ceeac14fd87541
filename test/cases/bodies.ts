import { type Case, type CaseGroup, type DogKind, httpDate, invalidBody, type Refusal } from './case.ts';

/** A request body that every operation refuses. */
interface Body {
  readonly name: string;
  readonly body: Buffer;
  readonly type: string;
  /** The response of most operations. */
  readonly refusal: Refusal;
  /** The response of an operation whose parser accepts all keys and any depth. By default, it is `refusal`. */
  readonly lenient?: Refusal;
}

type Row = readonly [name: string, body: string | Buffer, refusal: Refusal, more?: Partial<Body>];

function body([name, content, refusal, more]: Row): Body {
  const sent = typeof content === 'string' ? Buffer.from(content) : content;
  return { name, body: sent, type: 'application/json', refusal, ...more };
}

/** @param error the description of the error and its position. If it is absent, the drivers do not check it */
function notJson(error?: string): Refusal {
  const detail = error && `The request body is not valid JSON: ${error}.`;
  return { status: 400, problem: 'invalid-json', ...(detail && { detail }) };
}

const syntaxErrors: readonly Row[] = [
  ['an unclosed brace', '{', notJson('unexpected end of input at line 1, column 2')],
  [
    'an error on the third line',
    '{\n  "owner": "mailto:ann@example.com",\n    }',
    notJson('unexpected "}" at line 3, column 5'),
  ],
  ['two documents', '{}{}', notJson('unexpected "{" at line 1, column 3')],
  ['an error after a character of two bytes', '{"é":x}', notJson('unexpected "x" at line 1, column 6')],
  ['a byte order mark', '\ufeff{}', notJson('unexpected U+FEFF at line 1, column 1')],
  ['only white space', ' \r\n\t ', notJson()],
  ['a superfluous brace', '{}}', notJson()],
  ['a trailing comma', '{"message":"x",}', notJson()],
  ['NaN', 'NaN', notJson()],
  ['Infinity', '{"message":Infinity}', notJson()],
  ['undefined', 'undefined', notJson()],
  ['a comment', '{}//', notJson()],
  ['single quotes', "{'message':'x'}", notJson()],
  ['a control character in a string', '{"message":"\n"}', notJson()],
  ['an invalid escape', '{"message":"\\x41"}', notJson()],
  ['a number with a leading zero', '[01]', notJson()],
  ['a hexadecimal number', '[0x10]', notJson()],
  ['UTF-16', Buffer.from('\ufeff{"message":"x"}', 'utf16le'), notJson()],
  ['gzip', Buffer.from('H4sIAAAAAAAAA6uuBQBDv6ajAgAAAA==', 'base64'), notJson()],
  ['bytes that are not UTF-8', Buffer.from([0xff, 0xfe, 0xfd]), notJson()],
  ['a byte in braces that is not UTF-8', Buffer.from('{\xff}', 'latin1'), notJson()],
  ['NUL after the document', '{}\0', notJson()],
  ['half of a string', '{"message":"', notJson()],
  ['30,000 brackets', '['.repeat(30_000), notJson()],
  ['13,000 braces', '{"a":'.repeat(13_000), notJson()],
];

const noObject = invalidBody({ '': 'must be a JSON object' });

function unknown(...pointers: readonly string[]): Refusal {
  return invalidBody(Object.fromEntries(pointers.map((pointer) => [pointer, 'is not a known field'])));
}

const forbiddenKey: Refusal = {
  status: 400,
  problem: 'forbidden-key',
  detail:
    'The request body has a forbidden key: "__proto__", or a "constructor" that contains "prototype". Remove the key.',
};

/** Documents that could change a prototype, or that are nested too deeply (RFC 8259 section 9). */
const dangers: readonly Row[] = [
  ['the key __proto__', '{"__proto__":{"a":1}}', forbiddenKey, { lenient: unknown('/__proto__') }],
  ['an escaped __proto__', '{"\\u005f_proto__":{"a":1}}', forbiddenKey, { lenient: unknown('/__proto__') }],
  [
    'a nested __proto__',
    '{"loud":{"a":[{"__proto__":1}]}}',
    forbiddenKey,
    { lenient: unknown('/loud', '/loud/a/0/__proto__') },
  ],
  [
    'the prototype of a constructor',
    '{"constructor":{"prototype":{"a":1}}}',
    forbiddenKey,
    { lenient: unknown('/constructor') },
  ],
  [
    'an array that is 30,000 deep',
    `${'['.repeat(30_000)}${']'.repeat(30_000)}`,
    { status: 400 },
    { lenient: noObject },
  ],
  [
    'an object that is 10,000 deep',
    `${'{"a":'.repeat(10_000)}1${'}'.repeat(10_000)}`,
    { status: 400 },
    { lenient: unknown('/a') },
  ],
];

const notObjects: readonly Row[] = [
  ['an empty array', '[]', noObject],
  ['an array of objects', '[{"message":"x"}]', noObject],
  ['null', 'null', noObject],
  ['a number', '3', noObject],
  ['a number beyond the range of numbers', '1e400', noObject],
  ['minus zero', '-0', noObject],
  ['an integer beyond the safe integers', '9007199254740993', noObject],
  ['a number of 60,000 digits', '9'.repeat(60_000), noObject],
  ['a string', '"message"', noObject],
  ['half of a surrogate pair', '"\\ud800"', noObject],
];

const thousands = Array.from({ length: 6_000 }, (_, i) => `${i}`);

const unknownFields: readonly Row[] = [
  ['an unknown field', '{"loud":true}', unknown('/loud')],
  ['two unknown fields', '{"loud":1,"long":2}', unknown('/loud', '/long')],
  ['an action', '{"action":"bark"}', unknown('/action')],
  ['a field name that JSON pointers escape', '{"a/b~c":1}', unknown('/a~1b~0c')],
  ['the key constructor', '{"constructor":1}', unknown('/constructor')],
  ['the key prototype', '{"prototype":1}', unknown('/prototype')],
  ['a nested constructor', '{"a":[{"constructor":1}]}', unknown('/a', '/a/0/constructor')],
  [
    'a constructor that is 50 deep',
    `${'{"a":'.repeat(50)}{"constructor":1}${'}'.repeat(50)}`,
    unknown('/a', `${'/a'.repeat(50)}/constructor`),
  ],
  ['a field name of 60,000 characters', `{"${'a'.repeat(60_000)}":1}`, unknown(`/${'a'.repeat(60_000)}`)],
  ['half of a surrogate pair as a field name', '{"\\ud800":1}', unknown('/\ud800')],
  [
    '6,000 unknown fields',
    `{${thousands.map((name) => `"${name}":0`)}}`,
    unknown(...thousands.map((name) => `/${name}`)),
  ],
  ['an unknown field in exactly 64 KiB', '{"a":1'.padEnd(65_535).concat('}'), unknown('/a')],
];

const unsupported: Refusal = { status: 415, problem: 'unsupported-media-type' };

const wrongTypes: readonly Row[] = [
  ['a form', 'message=x', unsupported, { type: 'application/x-www-form-urlencoded' }],
  ['JSON with the type text/plain', '{}', unsupported, { type: 'text/plain' }],
  ['JSON without a content type', '{}', unsupported, { type: '' }],
  ['a type that begins with application/json', '{}', unsupported, { type: 'application/jsonlines' }],
  ['two content types', '{}', unsupported, { type: 'application/json, text/plain' }],
  ['text with the type application/xml', '{', unsupported, { type: 'application/xml' }],
];

const tooLarge: Refusal = {
  status: 413,
  problem: 'body-too-large',
  detail: 'The request body is 65537 bytes long. The limit is 65536 bytes.',
};
const muchTooLarge: Refusal = { status: 413, problem: 'body-too-large' };

const largeBodies: readonly Row[] = [
  ['65,537 bytes', '{}'.padEnd(65_537), tooLarge],
  ['65,537 bytes that are fewer characters', `"${'é'.repeat(32_767)}x"`, tooLarge],
  ['65,537 bytes without a content type', '{}'.padEnd(65_537), tooLarge, { type: '' }],
  ['65,537 bytes of plain text', ' '.repeat(65_537), tooLarge, { type: 'text/plain' }],
  ['65,537 braces', '{'.repeat(65_537), tooLarge],
  ['an array that is 100,000 deep', `${'['.repeat(100_000)}${']'.repeat(100_000)}`, muchTooLarge],
  ['an object that is 100,000 deep', `${'{"a":'.repeat(100_000)}1${'}'.repeat(100_000)}`, muchTooLarge],
];

const empty: Refusal = {
  status: 400,
  problem: 'empty-body',
  detail: 'The request body is empty. Send a JSON object.',
};

const documents = [syntaxErrors, dangers, notObjects, unknownFields, wrongTypes, largeBodies].flatMap(
  (rows) => rows.map(body),
);

const noBody = body(['no body', '', empty]);

/** An operation that reads a JSON document. */
interface Operation extends Pick<Case, 'method' | 'path' | 'fields'> {
  readonly title: string;
  readonly dogs: readonly DogKind[];
  readonly bodies: readonly Body[];
  /** Returns the response of this operation to a body. */
  readonly refuse: (body: Body) => Refusal;
}

/** Adds the header with the accepted media types to the response to a body of another type. */
function accepting(name: string, types: readonly string[], refusal: Refusal): Refusal {
  if (refusal.problem !== 'unsupported-media-type') return refusal;
  const detail = `The request body must be JSON. Send it with Content-Type: ${types.join(' or ')}.`;
  return { ...refusal, detail, headers: { [name]: types.join(', ') } };
}

const acceptPost = ({ refusal }: Body) => accepting('Accept-Post', ['application/json'], refusal);

/** Adds the errors of the two required fields to the response to an object without known fields. */
function withoutRequired(refusal: Refusal): Refusal {
  const { errors } = refusal;
  if (!errors || '' in errors) return refusal;
  return invalidBody({ ...errors, '/token': 'is required', '/next': 'is required' });
}

const operations = (now: number): readonly Operation[] => [
  {
    title: 'POST /v1/dogs/{id}/barks',
    method: 'POST',
    path: 'barks',
    dogs: ['new', 'absent'],
    bodies: documents,
    refuse: acceptPost,
  },
  {
    title: 'POST /v1/dogs/{id}/bark',
    method: 'POST',
    path: 'bark',
    dogs: ['new'],
    bodies: documents,
    refuse: acceptPost,
  },
  {
    title: 'PUT /v1/dogs/{id}',
    method: 'PUT',
    path: '',
    dogs: ['new', 'absent'],
    bodies: [
      ...documents,
      noBody,
      { ...noBody, name: 'no body and another content type', type: 'text/plain' },
    ],
    refuse: ({ refusal }) => accepting('Accept', ['application/json'], refusal),
  },
  {
    title: 'POST /v1/dogs/{id}/bark-schedule',
    method: 'POST',
    path: 'bark-schedule',
    dogs: ['scheduled', 'absent'],
    bodies: [
      ...documents,
      noBody,
      { ...noBody, name: 'no body and another content type', type: 'text/plain' },
    ],
    refuse: (one) => withoutRequired(acceptPost(one)),
  },
  {
    title: 'PATCH /v1/dogs/{id}',
    method: 'PATCH',
    path: '',
    fields: { 'If-Unmodified-Since': httpDate(now) },
    dogs: ['scheduled'],
    bodies: [
      ...documents,
      noBody,
      body(['a JSON Patch', '[]', unsupported, { type: 'application/json-patch+json' }]),
    ],
    refuse: ({ refusal, lenient = refusal }) => ({
      ...accepting('Accept-Patch', ['application/json', 'application/merge-patch+json'], lenient),
      status: refusal.status === 413 ? 413 : 403,
    }),
  },
  {
    title: 'POST /oauth2/v4/token',
    method: 'POST',
    path: '/oauth2/v4/token',
    fields: { Authorization: '' },
    dogs: ['new'],
    bodies: documents.filter(({ refusal }) => refusal.status !== 415),
    refuse: ({ refusal }) => ({ status: refusal.status === 413 ? 413 : 400, oauthError: 'invalid_request' }),
  },
];

/** Returns the bodies that each operation with a JSON document refuses. @param now Unix seconds */
export function refusedBodies(now: number): CaseGroup[] {
  return operations(now).map(({ title, method, path, fields, dogs, bodies, refuse }) => ({
    title: `${title}, with a body that every operation refuses,`,
    dogs,
    cases: bodies.map((one) => ({
      name: one.name,
      method,
      path,
      fields: { ...fields, ...(one.type && { 'Content-Type': one.type }) },
      body: one.body.length > 0 ? one.body : undefined,
      ...refuse(one),
    })),
  }));
}

import { gatewayResponses } from '../../lambdas/contract/gateway-responses.ts';
import { type ProblemType, problemKind } from '../../lambdas/contract/problem-types.ts';
import { openApiDocument } from '../../openapi/document.ts';
import type {
  Header,
  MediaType,
  Operation,
  Parameter,
  PathItem,
  Reference,
  Response,
  Schema,
} from '../../openapi/types.ts';
import { Contract } from '../support/contract.ts';
import { withRemedy } from '../support/remedy.ts';

const document = openApiDocument();
const contract = new Contract(document, []);

const methods = ['get', 'put', 'post', 'patch', 'delete'] as const;
const operations = Object.entries(document.paths).flatMap(([path, item]) =>
  methods.flatMap((method) => (item[method] ? [{ path, item, method, operation: item[method] }] : [])),
);

/** The responses of the document that are not references, each with its place. */
const responses = [
  ...operations.flatMap(({ operation }) =>
    Object.entries(operation.responses).map(
      ([status, one]) => [`${operation.operationId} ${status}`, one] as const,
    ),
  ),
  ...Object.entries(document.components.responses),
  ...Object.entries(document['x-other-paths']).map(
    ([status, one]) => [`unknown path ${status}`, one] as const,
  ),
  ...Object.entries(document.paths).flatMap(([path, item]) =>
    Object.entries(item['x-other-methods'] ?? {}).map(
      ([status, one]) => [`unsupported method of ${path} ${status}`, one] as const,
    ),
  ),
].filter((entry): entry is [string, Response] => !('$ref' in entry[1]));

/** Returns the object to which a reference leads. */
function resolved<T extends object>(one: T | Reference): T {
  const { $ref } = one as Partial<Reference>;
  if ($ref === undefined) return one as T;
  const [kind = '', name = ''] = $ref.split('/').slice(-2);
  return (document.components as unknown as Record<string, Record<string, T>>)[kind]?.[name] as T;
}

const parametersOf = (item: PathItem, operation: Operation): Parameter[] =>
  [...(item.parameters ?? []), ...(operation.parameters ?? [])].map((one) => resolved<Parameter>(one));

type Described = { readonly description?: unknown };

/** Returns the fields of a schema at any depth, each with its place. */
function fieldsOf(place: string, schema: Schema): [string, Described][] {
  const { properties, items, anyOf } = schema as {
    properties?: Readonly<Record<string, Schema>>;
    items?: Schema;
    anyOf?: readonly Schema[];
  };
  return [
    ...Object.entries(properties ?? {}).flatMap(([name, field]): [string, Described][] => [
      [`${place}/${name}`, field],
      ...fieldsOf(`${place}/${name}`, field),
    ]),
    ...[items ?? [], anyOf ?? []].flat().flatMap((inner) => fieldsOf(place, inner)),
  ];
}

/** Returns the objects in a value at any depth that have the member, each with its place. Examples are not schemas. */
function objectsWith(member: string, value: unknown, place = ''): [string, Schema][] {
  if (typeof value !== 'object' || value === null) return [];
  const inner = Object.entries(value)
    .filter(([name]) => name !== 'example' && name !== 'examples')
    .flatMap(([name, one]) => objectsWith(member, one, `${place}/${name}`));
  return Object.hasOwn(value, member) ? [[place, value as Schema], ...inner] : inner;
}

const isSentence = (text: unknown) => typeof text === 'string' && /^[A-Z#`{].*\.$/s.test(text);

describe('The OpenAPI document', () => {
  const patterns = [...JSON.stringify(document).matchAll(/"pattern":("(?:[^"\\]|\\.)*")/g)].map(
    ([, pattern = '']): string => JSON.parse(pattern),
  );

  test.each([...new Set(patterns)])(
    'has the pattern %s, which ECMAScript, Python and Rust read in the same way',
    (pattern) => {
      for (const flags of ['', 'u']) expect(() => new RegExp(pattern, flags)).not.toThrow();
      // Python does not support Unicode classes. Rust, which pydantic and schemathesis use, supports neither surrogates nor
      // lookaround. (https://docs.python.org/3/library/re.html, https://docs.rs/regex/latest/regex/#syntax)
      expect(pattern).not.toMatch(/\\[pPuk]|\(\?(?!:)|\\[1-9]/);
      // In Rust, a bracket inside a class begins another class.
      expect(pattern.replaceAll(/\\./g, '')).not.toMatch(/\[[^\]]*\[/);
    },
  );

  describe('can be read by generators of clients, because it', () => {
    // Without a format, generators for Go, Java and Rust choose 32 bits.
    test('states the format of each number', () => {
      const numbers = objectsWith('type', document).flatMap(([place, { type, format, minimum, maximum }]) => {
        const types = [type].flat();
        if (types.includes('number')) return [{ place, format, expected: 'double' }];
        if (!types.includes('integer')) return [];
        const isSmall = Number(minimum ?? -Infinity) >= -(2 ** 31) && Number(maximum ?? Infinity) < 2 ** 31;
        return [{ place, format, expected: isSmall ? 'int32' : 'int64' }];
      });
      expect(numbers.length).toBeGreaterThan(20);
      withRemedy('State the format of these numbers.', () => {
        expect(numbers.filter(({ format, expected }) => format !== expected)).toEqual([]);
      });
    });

    test.each(['const', 'enum', 'readOnly'])('states the type of each schema with %s', (keyword) => {
      const schemas = objectsWith(keyword, document);
      expect(schemas.length).toBeGreaterThan(5);
      expect(schemas.filter(([, { type }]) => type === undefined)).toEqual([]);
    });

    test('has only references without other members in schemas', () => {
      const schemas = [
        ...objectsWith('schema', document).map(([, { schema }]) => schema),
        document.components.schemas,
      ];
      const references = schemas.flatMap((schema) => objectsWith('$ref', schema));
      expect(references.length).toBeGreaterThan(100);
      expect(references.filter(([, reference]) => Object.keys(reference).length > 1)).toEqual([]);
    });

    // The constructor of a Go struct X has the name NewX.
    test('has no schema whose name is that of another one after New', () => {
      const names = Object.keys(document.components.schemas);
      expect(names.filter((name) => names.some((other) => name === `New${other}`))).toEqual([]);
    });

    test('has only absolute URLs in its info', () => {
      const urls = objectsWith('url', document.info).map(([, { url }]) => url as string);
      expect(urls.filter((url) => !URL.canParse(url))).toEqual([]);
    });
  });

  // API Gateway labels every response without a Content-Type as JSON, so an empty 200 would be invalid JSON.
  test('has a body for each response, except for the statuses that allow none', () => {
    const empty = responses.filter(([, { content }]) => !content).map(([place]) => place);
    expect(empty.filter((place) => !/ (204|205|304)$/.test(place))).toEqual([]);
  });

  test('describes each operation, parameter, body, response, header field, schema and field in sentences', () => {
    const described: [string, Described][] = [
      ...operations.flatMap(({ item, operation }): [string, Described][] => [
        [operation.operationId, operation],
        [`${operation.operationId} body`, operation.requestBody ?? { description: 'None.' }],
        ...parametersOf(item, operation).map((one): [string, Described] => [one.name, one]),
      ]),
      ...responses.flatMap(([where, one]): [string, Described][] => [
        [where, one],
        ...Object.entries(one.headers).map(([name, header]): [string, Described] => [
          `${where} ${name}`,
          { ...resolved<Header>(header), ...header },
        ]),
      ]),
      ...Object.entries(document.components.schemas).flatMap(([name, schema]): [string, Described][] => [
        [name, schema],
        ...fieldsOf(name, schema),
      ]),
      ...document.tags.map((tag): [string, Described] => [tag.name, tag]),
      ...Object.entries(document['x-problem-types']).flatMap(
        ([type, { meaning, remedy }]): [string, Described][] => [
          [type, { description: meaning }],
          [type, { description: remedy }],
        ],
      ),
    ];
    expect(described.length).toBeGreaterThan(300);
    withRemedy('Describe these in sentences that begin with a capital letter and end with a period.', () => {
      expect(described.filter(([, { description }]) => !isSentence(description))).toEqual([]);
    });
  });

  test('has the status and the title of its type in each example of a problem', () => {
    const examples = responses.flatMap(([where, { content = {} }]) =>
      Object.entries(content['application/problem+json']?.examples ?? {}).flatMap(([name, { value }]) => {
        const { type, status, title } = value as { type: string; status: number; title: string };
        const [, slug] = type.split('#problem-');
        const types = content['application/problem+json']?.['x-problem-types'] ?? [];
        return slug === undefined ? [] : [{ name, where, slug: slug as ProblemType, types, status, title }];
      }),
    );
    expect(examples.length).toBeGreaterThan(100);
    const wrong = examples.filter(({ slug, types, status, title }) => {
      const { status: usual, patchStatus, title: expected } = problemKind(slug);
      return ![usual, patchStatus].includes(status) || title !== expected || !types.includes(slug);
    });
    expect(wrong).toEqual([]);
  });

  // API Gateway returns these responses only if it validates requests. In this service, the functions validate requests.
  const ofRequestValidation = ['BAD_REQUEST_BODY', 'BAD_REQUEST_PARAMETERS'];

  test.each(gatewayResponses.filter(({ type }) => !ofRequestValidation.includes(type)))(
    'has the response that API Gateway generates for $type, and its header fields',
    ({ detail, status, headers = {} }) => {
      const expected = JSON.stringify({ status, detail }).slice(1, -1);
      const [, response] =
        responses.find(([, { content }]) => JSON.stringify(content ?? {}).includes(expected)) ?? [];
      expect(Object.keys(response?.headers ?? {})).toEqual(expect.arrayContaining(Object.keys(headers)));
      expect(response).toBeDefined();
    },
  );

  test('has no response of the authorizer in an operation that needs no credentials of a user', () => {
    const open = operations.filter(({ operation }) => operation.security?.length === 0);
    const stated = open.flatMap(({ operation }) =>
      Object.values(operation.responses).map((one) => JSON.stringify(resolved<Response>(one))),
    );
    const details = gatewayResponses.flatMap((one) =>
      one.needsAuthorizer ? [JSON.stringify(one.detail)] : [],
    );
    expect(details.filter((detail) => stated.some((text) => text.includes(detail)))).toEqual([]);
  });

  test('has for IssueToken a problem document only if API Gateway generates the response', () => {
    const issueToken = operations.find(({ operation }) => operation.operationId === 'IssueToken');
    const problems = Object.values(issueToken?.operation.responses ?? {}).flatMap((one) =>
      Object.values(('$ref' in one ? {} : one.content)?.['application/problem+json']?.examples ?? {}),
    );
    expect(problems.map(({ value }) => value)).toEqual([
      expect.objectContaining({ status: 415, type: 'about:blank' }),
      expect.objectContaining({ status: 500, type: 'about:blank' }),
      expect.objectContaining({ status: 503, type: 'about:blank' }),
    ]);
  });
});

test('Each body of an operation has an example', () => {
  const without = operations.flatMap(({ operation }) =>
    Object.entries(operation.responses).flatMap(([status, one]) =>
      Object.values(resolved<Response>(one).content ?? {})
        .filter(({ examples = {} }) => Object.keys(examples).length === 0)
        .map(() => `${operation.operationId} ${status}`),
    ),
  );
  expect(without).toEqual([]);
});

/** Returns the examples of a body, each with its place and its schema. */
const examplesIn = (where: string, content: Readonly<Record<string, MediaType>> = {}) =>
  Object.entries(content).flatMap(([type, { schema, examples = {} }]) =>
    Object.entries(examples).map(([name, { value }]) => ({
      where: `${name} of ${where} as ${type}`,
      schema,
      value,
    })),
  );

test.each([
  [
    'body',
    200,
    [
      ...operations.flatMap(({ operation }) =>
        examplesIn(`the request ${operation.operationId}`, operation.requestBody?.content),
      ),
      ...responses.flatMap(([where, { content }]) => examplesIn(where, content)),
    ],
  ],
  [
    'header field',
    400,
    responses.flatMap(([where, { headers }]) =>
      Object.entries(headers).map(([name, header]) => {
        const { schema, example: value } = resolved<Header>(header);
        return { where: `${name} of ${where}`, schema, value };
      }),
    ),
  ],
  [
    'parameter',
    20,
    operations.flatMap(({ item, operation }) =>
      parametersOf(item, operation).map(({ name, schema, example: value }) => ({
        where: `${name} of ${operation.operationId}`,
        schema,
        value,
      })),
    ),
  ],
])('Each example of a %s matches its schema', (_, least, examples) => {
  const given = examples.filter(({ value }) => value !== undefined);
  expect(given.length).toBeGreaterThan(least);
  const wrong = given.flatMap(({ where, schema, value }) => {
    const validate = contract.validatorOf(schema);
    return validate(value) ? [] : [{ where, value, errors: validate.errors }];
  });
  expect(wrong).toEqual([]);
});

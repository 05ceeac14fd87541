import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { gatewayAnswers } from '../../lambdas/contract/gateway-responses.ts';
import { type Route, routes } from '../../lambdas/contract/routes.ts';
import { openApiDocument } from '../../openapi/document.ts';
import type { MediaType, Operation, Parameter, Response } from '../../openapi/types.ts';
import { Contract } from '../support/contract.ts';

const document = openApiDocument();
const contract = new Contract(document, []);

const methods = ['get', 'head', 'put', 'post', 'patch', 'delete'] as const;
const operations = Object.entries(document.paths).flatMap(([path, item]) =>
  methods.flatMap((method) => (item[method] ? [{ path, item, method, operation: item[method] }] : [])),
);

/** The responses of the document, each in its place, and none twice. */
const responses = [
  ...operations.flatMap(({ operation }) =>
    Object.entries(operation.responses).map(
      ([status, one]) => [`${operation.operationId} ${status}`, one] as const,
    ),
  ),
  ...Object.entries(document.components.responses),
  ...Object.entries(document['x-other-paths']).map(
    ([status, one]) => [`another path ${status}`, one] as const,
  ),
  ...Object.entries(document.paths).flatMap(([path, item]) =>
    Object.entries(item['x-other-methods'] ?? {}).map(
      ([status, one]) => [`another method of ${path} ${status}`, one] as const,
    ),
  ),
].filter((entry): entry is [string, Response] => !('$ref' in entry[1]));

describe('The description', () => {
  test('is of the version of OpenAPI that it says, and of the package', () => {
    const { version } = JSON.parse(
      readFileSync(join(resolve(import.meta.dirname, '../..'), 'package.json'), 'utf8'),
    );
    expect([document.openapi, document.info.version]).toEqual(['3.1.1', version]);
  });

  const patterns = [...JSON.stringify(document).matchAll(/"pattern":("(?:[^"\\]|\\.)*")/g)].map(
    ([, pattern = '']): string => JSON.parse(pattern),
  );

  test.each([...new Set(patterns)])(
    'has the pattern %s, which ECMAScript, Python and Rust understand alike',
    (pattern) => {
      for (const flags of ['', 'u']) expect(() => new RegExp(pattern, flags)).not.toThrow();
      // Python has no classes of Unicode. Rust, in which pydantic and schemathesis match, has no surrogates and looks
      // neither ahead nor back. (https://docs.python.org/3/library/re.html, https://docs.rs/regex/latest/regex/#syntax)
      expect(pattern).not.toMatch(/\\[pPuk]|\(\?(?!:)|\\[1-9]/);
      // In a class, a bracket begins another class in Rust.
      expect(pattern.replaceAll(/\\./g, '')).not.toMatch(/\[[^\]]*\[/);
    },
  );

  test('has each route, and no other', () => {
    const expected = routes.flatMap(({ method, path, name }) => {
      if (method === 'GET') return [`get ${path} ${name}`, `head ${path} ${name}Head`];
      return [`${method === 'ANY' ? 'post' : method.toLowerCase()} ${path} ${name}`];
    });
    const described = operations.map(
      ({ method, path, operation }) => `${method} ${path} ${operation.operationId}`,
    );
    expect(described.sort()).toEqual(expected.sort());
  });

  test.each(routes as readonly Route[])('says of $name what the table of routes does', (route) => {
    const own = operations.filter(
      ({ operation }) => operation.operationId.replace(/Head$/, '') === route.name,
    );
    for (const { operation } of own) {
      expect(operation.summary.startsWith(route.summary)).toBe(true);
      expect(operation.tags).toEqual([route.variant]);
      expect(operation.security).toEqual(route.access === 'public' ? [] : undefined);
      expect('401' in operation.responses).toBe(route.access === 'user' || route.name === 'IssueToken');
    }
  });

  test.each(operations)('names the parameters of the path of $method $path', ({ path, item }) => {
    const named = (item.parameters ?? []).map(({ name, in: place, required }) => [name, place, required]);
    const inPath = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => [name, 'path', true]);
    expect(named).toEqual(inPath);
  });

  test('names no header field as a parameter that OpenAPI has another place for', () => {
    const names = operations.flatMap(({ operation }) =>
      ((operation.parameters ?? []) as readonly Parameter[]).map(({ name }) => name),
    );
    for (const name of ['Accept', 'Content-Type', 'Authorization']) expect(names).not.toContain(name);
  });

  test('has both schemes of credentials', () => {
    const { securitySchemes } = document.components;
    expect(Object.values(securitySchemes).map(({ scheme }) => scheme)).toEqual(['basic', 'bearer']);
    expect(document.security).toEqual(Object.keys(securitySchemes).map((name) => ({ [name]: [] })));
  });

  test('refers to nothing that is not there', () => {
    const references = [...JSON.stringify(document).matchAll(/"\$ref":"#\/([^"]+)"/g)].map(
      ([, path = '']) => path,
    );
    expect(references.length).toBeGreaterThan(50);
    const found = (path: string) =>
      path
        .split('/')
        .reduce<unknown>((value, key) => (value as Record<string, unknown> | undefined)?.[key], document);
    expect(references.filter((path) => found(path) === undefined)).toEqual([]);
  });

  test('needs nothing that is named and not used', () => {
    const text = JSON.stringify(document);
    const { schemas, headers, responses: common } = document.components;
    const unused = Object.entries({ schemas, headers, responses: common }).flatMap(([kind, members]) =>
      Object.keys(members).filter((name) => !text.includes(`"#/components/${kind}/${name}"`)),
    );
    expect(unused).toEqual([]);
  });

  // These it gives where it checks requests itself; here the functions do.
  const ofChecks = ['BAD_REQUEST_BODY', 'BAD_REQUEST_PARAMETERS'];

  test.each(gatewayAnswers.filter(({ type }) => !ofChecks.includes(type)))(
    'has what API Gateway answers as $type, and its header fields',
    ({ detail, status, headers = {} }) => {
      const said = JSON.stringify({ status, detail }).slice(1, -1);
      const [, response] =
        responses.find(([, { content }]) => JSON.stringify(content ?? {}).includes(said)) ?? [];
      expect(Object.keys(response?.headers ?? {})).toEqual(expect.arrayContaining(Object.keys(headers)));
      expect(response).toBeDefined();
    },
  );
});

function media(content: Readonly<Record<string, MediaType>> = {}): [string, MediaType][] {
  return Object.entries(content);
}

const bodies = [
  ...operations.flatMap(({ operation }) =>
    media(operation.requestBody?.content).map(
      ([type, body]) => [`the request of ${operation.operationId} as ${type}`, body] as const,
    ),
  ),
  ...responses.flatMap(([where, { content }]) =>
    media(content).map(([type, body]) => [`the answer ${where} as ${type}`, body] as const),
  ),
].flatMap(([where, { schema, examples = {} }]) =>
  Object.entries(examples).map(([name, { value }]) => ({ where: `${name} of ${where}`, schema, value })),
);

describe('Each example is as the description says', () => {
  test('and there are examples of all that is JSON, but for the description itself', () => {
    const without = [...operations.map(({ operation }) => operation)]
      .filter(({ operationId }: Operation) => !/^Get(Console|OpenApi|Docs)/.test(operationId))
      .flatMap(({ operationId, responses: all }) =>
        Object.entries(all).flatMap(([status, one]) =>
          '$ref' in one
            ? []
            : media(one.content).map(([, body]) => ({ at: `${operationId} ${status}`, body })),
        ),
      )
      .filter(({ body }) => Object.keys(body.examples ?? {}).length === 0);
    expect(without).toEqual([]);
  });

  test.each(bodies)('$where', ({ schema, value }) => {
    const validate = contract.validatorOf(schema);
    validate(value);
    expect(validate.errors ?? []).toEqual([]);
  });

  const fields = responses.flatMap(([where, { headers }]) =>
    Object.entries(headers).map(([name, header]) => ({ where, name, header })),
  );
  test.each(
    fields.flatMap(({ where, name, header }) => {
      const known =
        '$ref' in header ? document.components.headers[header.$ref.split('/').at(-1) ?? ''] : header;
      return known?.example === undefined ? [] : [{ where: `${name} of ${where}`, known }];
    }),
  )('$where', ({ known }) => {
    expect(contract.validatorOf(known.schema)(known.example)).toBe(true);
  });

  const parameters = operations.flatMap(({ item, operation }) =>
    [...(item.parameters ?? []), ...((operation.parameters ?? []) as readonly Parameter[])].map((one) => ({
      where: `${one.name} of ${operation.operationId}`,
      one,
    })),
  );
  test.each(parameters.filter(({ one }) => one.example !== undefined))('$where', ({ one }) => {
    expect(contract.validatorOf(one.schema)(one.example)).toBe(true);
  });
});

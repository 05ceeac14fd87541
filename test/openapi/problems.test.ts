import { rmSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { pageRoutes } from '../../lambdas/contract/pages.ts';
import { type ProblemType, problemTypes } from '../../lambdas/contract/problem-types.ts';
import { openApiDocument } from '../../openapi/document.ts';
import type { Operation, Reference, Response, Responses } from '../../openapi/types.ts';
import { sampleEvent } from '../../tools/invocation.ts';
import {
  httpDate,
  mailsTo,
  passTime,
  service,
  testDogs,
  timeOfService,
  windowSeconds,
} from '../cases/service.ts';
import { documentOf, type Fields, header } from '../support/client.ts';
import { fillSuspensions } from '../support/dogs.ts';
import { newFastDirectory } from '../support/fast-directory.ts';
import { type Fault, gateCalls, Process, plan, reset } from '../support/faults.ts';
import { setLimits } from '../support/limits.ts';
import { withRemedy } from '../support/remedy.ts';

// The API description lists the problems of each operation. For each of them, a test makes the operation return the problem. So the
// description contains no problem that an operation cannot return.

/** A valid request, which a cause changes or precedes with other requests. */
interface Request {
  readonly method: string;
  /** The path of the dog, with a trailing slash. */
  dog: string;
  /** The path below the dog, or a whole path. */
  path: string;
  fields: Fields;
  body: string;
}

type Cause = (request: Request) => unknown;

function send({ method, dog, path, fields, body }: Request) {
  const sent = { fields, body: body === '' ? undefined : Buffer.from(body) };
  return service.sendOnce(method, path.startsWith('/') ? path : `${dog}${path}`, sent);
}

const withField =
  (name: string, value: string): Cause =>
  (request) => {
    request.fields = { ...request.fields, [name]: value };
  };

const withBody =
  (body: string): Cause =>
  (request) => {
    request.body = body;
  };

const withQuery =
  (query: string): Cause =>
  (request) => {
    request.path += `?${query}`;
  };

const withNewDog: Cause = async (request) => {
  request.dog = await testDogs.newDog();
};

const withLimit =
  (name: 'barksPerDog' | 'mailsPerDog'): Cause =>
  async ({ dog }) => {
    setLimits({ [name]: 1 });
    expect((await service.post(`${dog}barks`)).status).toBe(201);
  };

const withKey = withField('Idempotency-Key', '"once"');

const withFault =
  (operation: string, fault: Fault): Cause =>
  () =>
    plan(operation, fault);

/** Makes all calls of AWS fail. */
const withoutAws =
  (error: Error): Cause =>
  () =>
    gateCalls(() => Promise.reject(error), { splitsBatches: false });

/** What happens before a valid request, so that the operation returns the problem. */
const stateCauses = {
  'dog-modified': async ({ dog }) => {
    await passTime(2);
    expect((await service.put(dog, {})).status).toBe(204);
  },
  'address-suspended': ({ dog }) => fillSuspensions(dog.split('/').at(-2) ?? ''),
  'bark-not-cancellable': () => passTime(windowSeconds),
  'bark-limit-reached': withLimit('barksPerDog'),
  'mail-limit-reached': withLimit('mailsPerDog'),
  'mail-refused': withFault('SendRawEmail', 'refused'),
  'schedule-refused': withFault('CreateSchedule', 'refused'),
  'mail-not-sent': withFault('SendRawEmail', 'throttled'),
  'mail-unavailable': withFault('SendRawEmail', 'sender refused'),
  'mail-unknown': withFault('SendRawEmail', 'response lost'),
} as const satisfies Partial<Record<ProblemType, Cause>>;

/** For the other problems: how a valid request differs, or which outage it meets. */
const causes: Readonly<Record<ProblemType, Cause>> = {
  ...stateCauses,
  'method-overridden': withField('X-HTTP-Method-Override', 'PUT'),
  'empty-body': withBody(''),
  'invalid-json': withBody('{'),
  'forbidden-key': withBody('{"__proto__": {}}'),
  'invalid-limit': withQuery('limit=0'),
  'invalid-cursor': withQuery('after=.'),
  'invalid-entity-tag': withField('If-Match', 'rex'),
  'invalid-idempotency-key': withField('Idempotency-Key', 'once'),
  'missing-date': withField('If-Unmodified-Since', ''),
  'invalid-date': withField('If-Unmodified-Since', 'now'),
  'date-in-future': withField('If-Unmodified-Since', httpDate(4e9)),
  'path-not-found': () => {},
  'dog-not-found': (request) => {
    request.dog = testDogs.newPath();
  },
  'bark-not-found': (request) => {
    request.path = 'barks/x';
  },
  'no-last-bark': withNewDog,
  'bark-schedule-not-found': withNewDog,
  'mail-subscription-not-found': (request) => {
    request.path = 'mail-subscription/x';
  },
  'method-not-allowed': (request) => {
    request.path = '';
  },
  'request-in-progress': async (request) => {
    await withKey(request);
    const process = new Process();
    process.plan('SendRawEmail', 'dies');
    await process.run(() => send(request));
  },
  'precondition-failed': withField('If-Match', '"another"'),
  'body-too-large': (request) => {
    request.body = request.body.padEnd(65_537);
  },
  'unsupported-media-type': withField('Content-Type', 'text/plain'),
  'invalid-body': withBody('{"x": 1}'),
  'invalid-dog-id': (request) => {
    request.path = '/v1/dogs/a.b/';
  },
  'idempotency-key-reused': async (request) => {
    await withKey(request);
    await send({ ...request, body: '{"message": "another"}' });
  },
  'schedule-token-reused': async (request) => {
    expect((await send({ ...request, body: request.body.replace('10', '20') })).status).toBe(205);
  },
  'internal-error': withoutAws(new Error('A defect')),
  'service-unavailable': withoutAws(Object.assign(new Error('socket hang up'), { code: 'ECONNRESET' })),
};

interface Exception {
  readonly operations: RegExp;
  readonly problems: readonly ProblemType[];
  readonly because: string;
}

/** The described problems that no request can cause here. */
const exceptions: readonly Exception[] = [
  {
    operations: /^/,
    problems: ['method-overridden'],
    because: 'the gateway removes the header; test/lambdas/http/endpoint.test.ts sends it to the function',
  },
  {
    operations: /^(Get|List|Delete|Fallback)/,
    problems: ['body-too-large'],
    because: 'an operation without a body does not read it, but all operations share the description',
  },
  {
    operations: RegExp(`^(${[...pageRoutes.map(({ name }) => name), 'Fallback'].join('|')})$`),
    problems: ['internal-error', 'service-unavailable'],
    because: 'the function calls no service',
  },
  {
    operations: /^Fallback$/,
    problems: ['invalid-entity-tag'],
    because: 'there is no resource whose entity tag could match',
  },
];

const document = openApiDocument();

function problemsOf(responses: Responses): string[] {
  return Object.values(responses).flatMap((response) => {
    const { content } = resolved(response);
    return content?.['application/problem+json']?.['x-problem-types'] ?? [];
  });
}

function resolved(response: Response | Reference): Response {
  if (!('$ref' in response)) return response;
  return document.components.responses[response.$ref.split('/').at(-1) ?? ''] as Response;
}

/** The operations, with their responses. The function of the fallback responds to other paths and methods. */
const operations: readonly (readonly [operation: string, responses: Responses])[] = [
  ...Object.values(document.paths).flatMap((item) =>
    Object.values(item)
      .filter((one): one is Operation => 'operationId' in one)
      .map(({ operationId, responses }) => [operationId, responses] as const),
  ),
  ['Fallback', { ...document['x-other-paths'], ...document.paths['/v1/dogs']?.['x-other-methods'] }],
];

const described = operations.flatMap(([operation, responses]) =>
  [...new Set(problemsOf(responses))].flatMap((problem) =>
    problem === 'about:blank' ? [] : [[operation, problem as ProblemType] as const],
  ),
);

const isIn =
  ([operation, problem]: (typeof described)[number]) =>
  (row: Exception) =>
    row.operations.test(operation) && row.problems.includes(problem);

const [impossible = [], possible = []] = [true, false].map((expected) =>
  described.filter((one) => exceptions.some(isIn(one)) === expected),
);

/** Returns the sample request of an operation, for a dog that has barked, has a pending bark, and has a schedule. */
async function requestOf(operation: string): Promise<Request> {
  const { httpMethod: method, path, headers, body } = sampleEvent(operation);
  const email = `${crypto.randomUUID()}@example.com`;
  const dog = await testDogs.newDog({ email, barkEffects: ['emailDog', 'record'] });
  await service.post(`${dog}barks`);
  const [mail] = await mailsTo(email);
  const pending = await service.post(`${dog}barks`, {}, { Prefer: 'respond-async' });
  const next = (await timeOfService()) + 3_600;
  expect((await service.post(`${dog}bark-schedule`, { token: 1, next })).status).toBe(205);
  const type = headers['Content-Type'];
  return {
    method,
    dog,
    path: path
      .replace(/^\/v1\/dogs\/[^/]+\/?/, '')
      .replace(/^barks\/.*/, header(pending, 'Location').replace(service.urlOf(dog), ''))
      .replace(/(?<=^mail-subscription\/).*/, mail?.unsubscribe?.match(/[^/]+(?=>)/)?.[0] ?? ''),
    fields: {
      ...(type !== undefined && { 'Content-Type': type }),
      ...(method === 'PATCH' && { 'If-Unmodified-Since': httpDate(await timeOfService()) }),
    },
    body: body ?? '',
  };
}

/** Returns the type of the problem that an operation returns after a cause. The client checks that the problem is described. */
async function provoked(operation: string, problem: ProblemType): Promise<string | undefined> {
  const request = await requestOf(operation);
  await causes[problem](request);
  const response = await send(request);
  if (response.status < 400) return undefined;
  return documentOf<{ type: string }>(response).type.split('#problem-')[1];
}

const pages = newFastDirectory();

beforeAll(() => {
  for (const { entry } of pageRoutes)
    writeFileSync(join(pages, `${basename(entry, '.ts')}.html`), '<!doctype html>');
  writeFileSync(join(pages, 'openapi.json'), JSON.stringify(document));
  process.env.LAMBDA_TASK_ROOT = pages;
});
afterAll(() => rmSync(pages, { recursive: true }));

beforeEach(() => {
  reset();
  // The SDK multiplies the delays between its retries by this value.
  jest.spyOn(Math, 'random').mockReturnValue(0.001);
  jest.spyOn(console, 'error').mockImplementation(() => {});
});
afterEach(() => {
  gateCalls((_, pass) => pass(), { splitsBatches: false });
  setLimits(undefined);
});

describe('An operation', () => {
  test.each(possible)('%s returns the described problem %s', async (operation, problem) => {
    expect(await provoked(operation, problem)).toBe(problem);
  });

  test.each(impossible)('%s, as an exception, does not return %s', async (operation, problem) => {
    expect(await provoked(operation, problem)).not.toBe(problem);
  });
});

/** The operations whose repeated request has no further effect, if it has an Idempotency-Key, a token or a date. */
const repeatable = possible.filter(
  ([operation, problem]) =>
    /^(Post.*(Bark|Barks|Schedule)|Patch.*)$/.test(operation) && problem in stateCauses,
);

describe('A repeat of', () => {
  test.each(repeatable)('%s succeeds, although a new request would return %s', async (operation, problem) => {
    const request = await requestOf(operation);
    withKey(request);
    expect((await send(request)).status).toBeLessThan(300);
    await causes[problem](request);
    expect((await send(request)).status).toBeLessThan(300);
  });
});

test('Each problem is described for an operation', () => {
  const problems = new Set(described.map(([, problem]) => problem));
  withRemedy('Add these problems to the operations in openapi/operations/ that return them.', () => {
    expect(Object.keys(problemTypes).filter((one) => !problems.has(one as ProblemType))).toEqual([]);
  });
});

test('Each exception is for a described problem', () => {
  expect(exceptions.filter((row) => !described.some((one) => isIn(one)(row)))).toEqual([]);
});

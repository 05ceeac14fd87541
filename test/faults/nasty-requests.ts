export interface Target {
  readonly host: string;
  /** The prefix of each path: the stage, or empty. */
  readonly prefix: string;
  readonly authorization: string;
  /** The path of a dog, with a trailing slash. */
  readonly dog: string;
}

/** The bytes of one or several requests, in the order in which they are sent. */
type Bytes = readonly Buffer[];

/** Bytes, and the statuses of the responses to them, in order. There are none if the service closes the connection instead. */
interface NastyRequest {
  readonly bytes: Bytes;
  readonly responses: readonly number[];
  /** True if the client half-closes the connection, so that the service knows that the request has ended. */
  readonly halfClose?: boolean;
}

type NastyRequests = Readonly<Record<string, NastyRequest>>;

const json = 'Content-Type: application/json';

/** Writes requests. They have `Connection: close`, unless their fields contain another value. */
class Writer {
  readonly target: Target;

  constructor(target: Target) {
    this.target = target;
  }

  get good(): readonly string[] {
    return [`Host: ${this.target.host}`, `Authorization: ${this.target.authorization}`, 'Connection: close'];
  }

  /** Returns the bytes of a request. In `start` and in the fields, each character is one byte. */
  bytes(start: string, fields: readonly string[], body: Buffer | string = ''): Bytes {
    const head = [start, ...fields, '', ''].join('\r\n');
    return [Buffer.from(head, 'latin1'), typeof body === 'string' ? Buffer.from(body) : body];
  }

  get(path: string, ...fields: readonly string[]): Bytes {
    return this.bytes(`GET ${this.target.prefix}${path} HTTP/1.1`, [...this.good, ...fields]);
  }

  /** @param path a path of the API, or a path relative to the dog */
  send(method: string, path: string, body: Buffer | string, ...fields: readonly string[]): Bytes {
    const below = path.startsWith('/') ? path : `${this.target.dog}${path}`;
    const length = `Content-Length: ${Buffer.byteLength(body)}`;
    return this.bytes(
      `${method} ${this.target.prefix}${below} HTTP/1.1`,
      [...this.good, length, ...fields],
      body,
    );
  }

  /** @param ends true if the request asks the service to close the connection */
  bark(fields: readonly string[], body: string, ends = true): Bytes {
    return this.bytes(
      `POST ${this.target.prefix}${this.target.dog}bark HTTP/1.1`,
      [...this.good.slice(0, 2), ...(ends ? ['Connection: close'] : []), json, ...fields],
      body,
    );
  }
}

type Row = readonly [
  bytes: Bytes | Buffer,
  responses: number | readonly number[],
  more?: Partial<NastyRequest>,
];

function table(rows: Readonly<Record<string, Row>>): NastyRequests {
  return Object.fromEntries(
    Object.entries(rows).map(([name, [bytes, responses, more]]) => [
      name,
      { bytes: [bytes].flat(), responses: [responses].flat(), ...more },
    ]),
  );
}

const halfClose = true;

function nastyPaths(to: Writer): NastyRequests {
  const { prefix, dog, host } = to.target;
  const id = dog.split('/').at(-2) ?? '';
  const start = (path: string) => to.bytes(`GET ${path} HTTP/1.1`, to.good);
  return table({
    'an encoded slash': [to.get(`/v1/dogs%2F${id}`), 404],
    'a slash that is encoded twice': [to.get(`/v1/dogs%252F${id}`), 404],
    'a backslash': [to.get(`/v1\\dogs\\${id}`), 404],
    'two dots': [to.get(`/v1/dogs/x/../${id}/`), 404],
    'two encoded dots': [to.get(`/v1/dogs/x/%2e%2e/${id}/`), 404],
    'two dots above the root': [to.get('/../../../etc/passwd'), 404],
    'an empty part': [to.get(`/v1//dogs/${id}/`), 404],
    'an empty first segment': [start(`${prefix}//v1/dogs/${id}/`), 404],
    'an empty last segment': [to.get(`/v1/dogs/${id}//`), 404],
    'parameters in a segment': [to.get(`/v1/dogs/${id};a=b/`), 404],
    'overlong UTF-8': [to.get('/v1/dogs/%C0%AF'), 400],
    'characters that normalize to others': [to.get('/v1/dogs/%EF%BC%8E%EF%BC%8E'), 404],
    'a space': [to.get('/v1/dogs/a b'), 400],
    'a fragment': [to.get(`${dog}#barks`), 404],
    'another stage': [start('/test-invoke-stage/v1/dogs/'), 404],
    'a prototype as an id': [to.get('/v1/dogs/__proto__/'), 404],
    'the name of a path parameter': [to.get('/v1/dogs/{dog_id}/'), 404],
    '3,000 characters before a bark': [
      to.get(`/v1/dogs/${'a'.repeat(3_000)}/barks/a01KAK0XW00ABCDEFGHJKMNPQRS`),
      404,
    ],
    '8,000 characters': [to.get(`/v1/dogs/${'a'.repeat(8_000)}`), 404],
    'an action in the query': [to.get(`${dog}?action=bark&X-HTTP-Method-Override=DELETE`), 200],
    'a query of 5,000 parameters': [to.get(`/v1/dogs/?${'a&'.repeat(5_000)}`), 200],
    'a query with a prototype': [to.get('/v1/dogs/?__proto__[limit]=0&constructor=1'), 200],
    'a URL, of this host': [start(`http://${host}${prefix}${dog}`), 200],
    'a URL, of another host': [start(`http://evil.example${dog}`), 421],
    'no path': [to.bytes('GET  HTTP/1.1', to.good), 400],
  });
}

function nastyMethods(to: Writer): NastyRequests {
  const { prefix, dog } = to.target;
  const unknown = ['Get', 'SUBSCRIBE', 'G\xc9T', ''];
  // API Gateway obeys X-HTTP-Method-Override. It ignores similar headers.
  const overridden = { POST: 405, PUT: 400, PATCH: 403 };
  return table({
    ...Object.fromEntries(
      unknown.map((method): [string, Row] => [
        `the method ${JSON.stringify(method)}`,
        [to.bytes(`${method} ${prefix}${dog} HTTP/1.1`, to.good), 400],
      ]),
    ),
    ...Object.fromEntries(
      Object.entries(overridden).map(([method, status]): [string, Row] => [
        `GET that X-HTTP-Method-Override turns into ${method}`,
        [to.get(dog, `X-HTTP-Method-Override: ${method}`), status],
      ]),
    ),
    'GET with headers that API Gateway ignores': [
      to.get(dog, 'X-HTTP-Method: DELETE', 'X-Method-Override: DELETE'),
      200,
    ],
    'OPTIONS of all': [to.bytes('OPTIONS * HTTP/1.1', to.good), 400],
    'HTTP/1.0': [to.bytes(`GET ${prefix}${dog} HTTP/1.0`, to.good), 200],
    'HTTP/0.9': [Buffer.from(`GET ${prefix}${dog}\r\n`), 400, { halfClose }],
    'the first bytes of TLS': [Buffer.from('16030100a5010000a1030300', 'hex'), 400],
    'another protocol, by Upgrade': [to.get(dog, 'Upgrade: h2c', 'HTTP2-Settings: AAMAAABkAAQ'), 200],
    'no bytes': [Buffer.alloc(0), [], { halfClose }],
    'empty lines': [Buffer.from('\r\n\r\n\r\n'), [], { halfClose }],
  });
}

function nastyHeaders(to: Writer): NastyRequests {
  const { dog, prefix, host, authorization } = to.target;
  const start = `GET ${prefix}${dog} HTTP/1.1`;
  const own = `Host: ${host}`;
  const authorized = `Authorization: ${authorization}`;
  const close = 'Connection: close';
  const wrong = 'Authorization: Basic eDp5';
  const value = (bytes: string) => to.get(dog, `X-Field: ${bytes}`);
  return table({
    'an empty host': [to.bytes(start, ['Host:', authorized, close]), 421],
    'a host with a user': [to.bytes(start, [`Host: user@${host}`, authorized, close]), 421],
    'a host with a path': [to.bytes(start, [`Host: ${host}/x`, authorized, close]), 421],
    'valid credentials and invalid ones': [to.bytes(start, [own, authorized, wrong, close]), 401],
    'invalid credentials and valid ones': [to.bytes(start, [own, wrong, authorized, close]), 401],
    'the same valid credentials twice': [to.bytes(start, [own, authorized, authorized, close]), 401],
    'credentials of two schemes': [to.bytes(start, [own, authorized, 'Authorization: Bearer x', close]), 401],
    'two entity tags that no dog has': [to.get(dog, 'If-None-Match: "a"', 'If-None-Match: "b"'), 200],
    'an invalid If-None-Match': [to.get(dog, 'If-None-Match: "a', 'If-None-Match: b"'), 400],
    'If-None-Match of 2,000 tags': [to.get(dog, `If-None-Match: ${'"a", '.repeat(2_000)}`), 200],
    'two If-Match headers, one of them *': [to.send('DELETE', '', '', 'If-Match: "a"', 'If-Match: *'), 400],
    'two dates': [to.send('PATCH', '', '{}', json, 'If-Unmodified-Since: x', 'If-Unmodified-Since: y'), 403],
    'two types': [to.send('POST', 'bark', '{}', json, 'Content-Type: text/plain'), 415],
    'two types, of which the last is supported': [
      to.send('POST', 'bark', '{}', 'Content-Type: text/plain', json),
      415,
    ],
    'two types, in a PUT': [to.send('PUT', '', '{}', 'Content-Type: text/plain', json), 415],
    'a type of 7,000 parameters': [to.send('POST', 'bark', '{}', `${json}${';a=b'.repeat(1_700)}`), 201],
    'a preference of 7,000 commas': [
      to.send('POST', 'bark', '{}', json, `Prefer: ${','.repeat(7_000)}`),
      201,
    ],
    'Accept of 7,000 commas': [to.get(dog, `Accept: ${',;q=""'.repeat(1_200)}`), 200],
    'a request ID of the client': [to.get(dog, 'X-Amzn-RequestId: "}', 'X-Request-Id: "}'), 200],
    'a name that is a prototype': [to.get(dog, '__proto__: x', 'constructor: x', 'hasOwnProperty: x'), 200],
    'a space before the colon': [to.bytes(start, [own, `Authorization : ${authorization}`, close]), 400],
    'a continuation line': [to.get(dog, 'X-Field: a', ' b'), 400],
    'LF alone': [value('a\nX-Injected: yes'), 400],
    'bytes beyond ASCII': [value('\xe9\xf0\x9f\x90\xb6\xff'), 200],
    'a field of 8 KB': [value('a'.repeat(8 * 1024)), 200],
    'three fields of 4 KB': [
      to.get(dog, ...['A', 'B', 'C'].map((name) => `${name}: ${'a'.repeat(4 * 1024)}`)),
      431,
    ],
    'a field of 1 MB': [value('a'.repeat(1024 * 1024)), 431],
    '500 fields': [to.get(dog, ...Array.from({ length: 500 }, (_, i) => `X${i}: a`)), 200],
    'ten thousand fields': [to.get(dog, ...Array.from({ length: 10_000 }, (_, i) => `X${i}: a`)), 431],
    'two keys': [to.send('POST', 'bark', '{}', json, 'Idempotency-Key: "a"', 'Idempotency-Key: "b"'), 400],
    'two pages': [to.get('/v1/dogs/?limit=0&limit=1'), 200],
    'an expectation': [to.send('POST', 'bark', '{}', json, 'Expect: 100-continue'), 201],
  });
}

function nastyFraming(to: Writer): NastyRequests {
  const chunked = 'Transfer-Encoding: chunked';
  const start = `GET ${to.target.prefix}${to.target.dog} HTTP/1.1`;
  const second = `${start}\r\n${to.good.join('\r\n')}\r\n\r\n`;
  const first = to.bytes(start, to.good.slice(0, 2));
  return table({
    'a request whose bytes arrive separately': [
      to.bark(['Content-Length: 2'], '{}').flatMap((piece) => [...piece].map((byte) => Buffer.from([byte]))),
      201,
    ],
    'two requests at once': [
      [...first, Buffer.from(second)],
      [200, 200],
    ],
    'a valid request and then invalid bytes': [
      [...first, Buffer.from('woof\r\n\r\n')],
      [200, 400],
    ],
    'a length that is too small': [to.bark(['Content-Length: 2'], '{}{"message":"x"}', false), [201, 400]],
    'a length that is too small, on a connection that closes': [
      to.bark(['Content-Length: 2'], '{}{"message":"x"}'),
      201,
    ],
    'a length that is too large': [to.bark(['Content-Length: 9'], '{}'), 400, { halfClose }],
    'two lengths': [to.bark(['Content-Length: 2', 'Content-Length: 17'], '{}{"message":"x"}'), 400],
    'no length and a body': [to.bark([], '{}', false), [201, 400]],
    chunks: [to.bark([chunked], '1\r\n{\r\n1\r\n}\r\n0\r\n\r\n'), 201],
    'chunks and trailers': [to.bark([chunked], '2\r\n{}\r\n0\r\nAuthorization: Basic eDp5\r\n\r\n'), 201],
    '20,000 chunks of one byte': [
      to.bark([chunked], `${'1\r\n \r\n'.repeat(20_000)}2\r\n{}\r\n0\r\n\r\n`),
      201,
    ],
    'chunks beyond 64 KiB': [to.bark([chunked], `10001\r\n${' '.repeat(0x10001)}\r\n0\r\n\r\n`), 413],
    'a chunk with an invalid size': [to.bark([chunked], 'zz\r\n{}\r\n0\r\n\r\n'), 400],
    'chunks that never end': [to.bark([chunked], '2\r\n{}\r\n'), 400, { halfClose }],
    'chunks and a length': [to.bark([chunked, 'Content-Length: 2'], `0\r\n\r\n${second}`), 400],
    'chunked and an unknown coding': [
      to.bark(['Transfer-Encoding: chunked, identity'], '2\r\n{}\r\n0\r\n\r\n'),
      400,
    ],
    'half of a head': [Buffer.from('GET / HTTP/1.1\r\nHo'), 400, { halfClose }],
    'GET with a body': [to.send('GET', '', '{"barks":{"next":0}}', json), 200],
  });
}

/** Returns messages that must not change the mail that contains them. */
function nastyBodies(to: Writer): NastyRequests {
  const bark = (body: Buffer | string): Row => [to.send('POST', 'barks', body, json), 201];
  return table({
    'a message with CR': bark('{"message":"x\\rBcc: evil@example.com"}'),
    'a message that ends a mail': bark('{"message":"\\r\\n.\\r\\nRCPT TO:<evil@example.com>\\r\\n"}'),
    'a message that contains another parameter': bark(
      '{"message":"x&Destination.BccAddresses.member.1=evil@example.com"}',
    ),
    'a message that is NUL': bark('{"message":"\\u0000"}'),
  });
}

/**
 * Returns the requests to a service, by what is unusual in them. Node refuses many kinds of invalid bytes in the same way. Each part of
 * a message has an example.
 */
export function nastyRequests(target: Target): Readonly<Record<string, NastyRequests>> {
  const to = new Writer(target);
  return {
    'A path': nastyPaths(to),
    'A request': nastyMethods(to),
    'A header': nastyHeaders(to),
    'A message': nastyFraming(to),
    'A body': nastyBodies(to),
  };
}

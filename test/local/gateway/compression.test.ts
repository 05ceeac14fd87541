import { gzipSync } from 'node:zlib';
import { Gateway } from '../../../local/gateway/server.ts';
import { apiModelOf } from '../../support/local-api.ts';

const text = 'dog '.repeat(25);

let gateway: Gateway;
let url: string;
let response: object;

beforeEach(async () => {
  gateway = new Gateway();
  url = await gateway.listen('127.0.0.1', 0);
  response = { statusCode: 200, headers: { 'Content-Type': 'text/plain', ETag: '"1"' }, body: text };
});

afterEach(() => gateway.close(0));

async function call(
  acceptEncoding: string | undefined,
  { method = 'GET', minimum = 100 as number | null } = {},
) {
  gateway.serve(
    apiModelOf({
      methods: { 'GET /': '!Page', 'HEAD /': '!Page' },
      ...(minimum !== null && { minimumCompressionSize: minimum }),
    }),
    async () => response,
  );
  // fetch always sends Accept-Encoding and decodes the response. An empty value requests no coding.
  const { headers, ...rest } = await fetch(url, {
    method,
    headers: { 'Accept-Encoding': acceptEncoding ?? '' },
  }).then(async (received) => ({ headers: received.headers, text: await received.text() }));
  return {
    encoding: headers.get('content-encoding'),
    length: Number(headers.get('content-length')),
    headers,
    ...rest,
  };
}

describe('A response that is as long as minimumCompressionSize', () => {
  test.each([
    ['gzip', 'gzip'],
    ['GZIP', 'gzip'],
    ['deflate', 'deflate'],
    ['gzip, deflate, br', 'gzip'],
    ['br, deflate', 'deflate'],
    ['gzip;q=0.1, deflate;q=0.9', 'deflate'],
    ['*, gzip', 'gzip'],
  ])('is compressed for Accept-Encoding: %s', async (acceptEncoding, coding) => {
    const { encoding, length, ...received } = await call(acceptEncoding);
    expect(encoding).toBe(coding);
    expect(length).toBeLessThan(text.length);
    expect(received.text).toBe(text);
  });

  test.each([undefined, '*', 'br', 'identity', 'identity, gzip;q=0.5', 'gzip;q=0'])(
    'is not compressed for Accept-Encoding: %s',
    async (acceptEncoding) => {
      const { encoding, length, ...received } = await call(acceptEncoding);
      expect({ encoding, length, text: received.text }).toEqual({ encoding: null, length: 100, text });
    },
  );

  test('keeps its other headers, including ETag', async () => {
    const { headers } = await call('gzip');
    expect([headers.get('etag'), headers.get('content-type')]).toEqual(['"1"', 'text/plain']);
  });
});

test.each<[string, Parameters<typeof call>[1]]>([
  ['it is shorter', { minimum: 101 }],
  ['the API sets no minimum', { minimum: null }],
  ['it is the response to HEAD', { method: 'HEAD' }],
])('A response is not compressed if %s', async (_, options) => {
  expect((await call('gzip', options)).encoding).toBeNull();
});

test('A response that the function has already compressed is returned unchanged', async () => {
  response = {
    statusCode: 200,
    headers: { 'content-encoding': 'gzip' },
    body: gzipSync(text).toString('base64'),
    isBase64Encoded: true,
  };
  const { encoding, ...received } = await call('deflate', { minimum: 0 });
  expect([encoding, received.text]).toEqual(['gzip', text]);
});

test('A response without a body is not compressed', async () => {
  response = { statusCode: 200 };
  const { encoding, length } = await call('gzip', { minimum: 0 });
  expect({ encoding, length }).toEqual({ encoding: null, length: 0 });
});

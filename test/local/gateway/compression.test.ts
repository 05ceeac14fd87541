import { gzipSync } from 'node:zlib';
import { Gateway } from '../../../local/gateway/server.ts';
import { apiModelOf } from '../../support/local-api.ts';

const text = 'dog '.repeat(25);
const compressible = { statusCode: 200, headers: { ETag: '"1"' }, body: text };
const compressed = {
  statusCode: 200,
  headers: { 'content-encoding': 'gzip' },
  body: gzipSync(text).toString('base64'),
  isBase64Encoded: true,
};

interface Case {
  readonly accept: string;
  readonly method?: string;
  readonly minimum?: number | undefined;
  readonly response?: object;
}

/** Returns the coding and the text of the response to a request. `fetch` decodes the response. */
async function reply({ accept, method = 'GET', response = compressible, ...other }: Case) {
  const { minimum = 100 } = other;
  const gateway = new Gateway();
  const url = await gateway.listen('127.0.0.1', 0);
  const compression =
    'minimum' in other && other.minimum === undefined ? {} : { minimumCompressionSize: minimum };
  gateway.serve(
    apiModelOf({ methods: { 'GET /': '!Page', 'HEAD /': '!Page' }, ...compression }),
    async () => response,
  );
  const received = await fetch(url, { method, headers: { 'Accept-Encoding': accept } });
  const body = await received.text();
  await gateway.close(0);
  return { coding: received.headers.get('content-encoding'), etag: received.headers.get('etag'), body };
}

/* https://docs.aws.amazon.com/apigateway/latest/developerguide/api-gateway-receive-response-with-compressed-payload.html */
test.each<[string, string | null]>([
  ['gzip', 'gzip'],
  ['GZIP', 'gzip'],
  ['deflate', 'deflate'],
  ['br, deflate', 'deflate'],
  ['gzip;q=0.1, deflate;q=0.9', 'deflate'],
  ['*, gzip', 'gzip'],
  ['', null],
  ['*', null],
  ['br', null],
  ['identity, gzip;q=0.5', null],
  ['gzip;q=0', null],
])('A response to Accept-Encoding: %s has the coding %s and keeps its ETag', async (accept, coding) => {
  expect(await reply({ accept })).toEqual({ coding, etag: '"1"', body: text });
});

test.each<[string, Omit<Case, 'accept'>, string | null, string]>([
  ['shorter than the minimum', { minimum: 101 }, null, text],
  ['of an API without a minimum', { minimum: undefined }, null, text],
  ['to HEAD', { method: 'HEAD' }, null, ''],
  ['without a body', { minimum: 0, response: { statusCode: 200 } }, null, ''],
  ['that the function has compressed', { minimum: 0, response: compressed }, 'gzip', text],
])('A response %s is returned unchanged', async (_, options, coding, body) => {
  expect(await reply({ accept: 'gzip', ...options })).toMatchObject({ coding, body });
});

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { jest } from '@jest/globals';
import { mockClient } from 'aws-sdk-client-mock';
import fc from 'fast-check';
import { routes } from '../../../lambdas/routes.ts';
import { context, sampleEvent } from '../../support/invoke.ts';

mockClient(DynamoDBDocumentClient).onAnyCommand().resolves({});
// What lies beside the code of a function that shows a page.
const beside = mkdtempSync(join(tmpdir(), 'pages-'));
for (const name of ['console.html', 'docs.html', 'openapi.json']) writeFileSync(join(beside, name), '{}');
afterAll(() => rmSync(beside, { recursive: true }));

jest.spyOn(console, 'error').mockImplementation(() => {});
Object.assign(process.env, {
  ACCESS_TABLE: 'access',
  DOGS_TABLE: 'dogs',
  BARKS_TABLE: 'barks',
  MAIL_SENDER: 'dogs@example.com',
  MAIL_CONFIGURATION_SET: 'mail',
  LAMBDA_TASK_ROOT: beside,
});

const text = fc.oneof(
  fc.string(),
  fc.string({ unit: 'binary' }),
  fc.constantFrom('*', '""', 'W/"x"', '__proto__'),
);
const fields = fc.dictionary(
  fc.constantFrom(
    'If-Match',
    'if-none-match',
    'Content-Type',
    'X-Forwarded-Proto',
    'Prefer',
    'If-Unmodified-Since',
    'Idempotency-Key',
    '__proto__',
  ),
  text,
);
const changes = fc.record({
  body: fc.option(fc.oneof(text, fc.json())),
  isBase64Encoded: fc.boolean(),
  httpMethod: fc.constantFrom('GET', 'HEAD', 'PUT', 'PATCH', 'POST', 'DELETE', 'OPTIONS'),
  headers: fields,
  pathParameters: fc.option(fc.dictionary(fc.constantFrom('dog_id', 'bark_id'), text)),
  queryStringParameters: fc.option(fc.dictionary(fc.constantFrom('limit', 'after', 'action'), text)),
});

test.each(routes.map(({ name, entry }) => [name, entry]))(
  'Whatever event comes, %s gives a well-formed answer',
  async (name, entry) => {
    const { handler } = await import(`../../../lambdas/${entry}`);
    await fc.assert(
      fc.asyncProperty(changes, async (changed) => {
        const event = { ...sampleEvent(name), ...changed };
        const multiValueHeaders = Object.fromEntries(
          Object.entries(changed.headers).map(([key, value]) => [key, [value]]),
        );
        const answer = await handler({ ...event, multiValueHeaders }, context());
        expect(answer.statusCode).toBeGreaterThanOrEqual(200);
        expect(answer.statusCode).toBeLessThan(500);
        expect(answer.headers).toMatchObject({
          'X-Content-Type-Options': 'nosniff',
          'Cache-Control': expect.any(String),
        });
        if (answer.statusCode >= 400 && event.httpMethod !== 'HEAD')
          expect(JSON.parse(answer.body)).toMatchObject(
            answer.headers['Content-Type'] === 'application/problem+json'
              ? { status: answer.statusCode, detail: expect.any(String) }
              : { error: expect.any(String), error_description: expect.any(String) },
          );
      }),
      { numRuns: 200 },
    );
  },
);

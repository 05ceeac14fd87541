import manifest from '../package.json' with { type: 'json' };
import { headers } from './headers.ts';
import { preconditions } from './parameters.ts';
import { otherPaths, paths } from './paths.ts';
import { problemDescriptions } from './problem-descriptions.ts';
import { responseComponents } from './responses.ts';
import { schemas } from './schemas.ts';
import { tags } from './tags.ts';
import type { Header, Parameter } from './types.ts';

const introduction = `The dog service shows how a REST API can offer an action without a verb in the URL. The action is a bark: to make a dog bark, a client creates or changes a resource. The dog's settings determine the bark's effects. A bark can send mail to the dog or its owner, increase the bark count, and be recorded as a resource with its own URL.

## Three variants

The service offers this action in three variants, which all use the same dogs:

- Variant A has a collection of barks. \`POST /v1/dogs/rex/barks\` makes the dog "rex" bark.
- Variant B has a schedule on the dog. \`PATCH /v1/dogs/rex\` sets when the dog barks.
- Variant C has two sub-resources of the dog: \`bark\` for the last bark, and \`bark-schedule\` for the schedule.

## Rules for all operations

These rules apply to all operations:

- Times in bodies are in Unix seconds. Dates in header fields are HTTP dates.
- Paths with and without a trailing slash identify the same resource.
- Every path that supports GET also supports HEAD. The response to HEAD has the same status and header fields as the response to GET, but no body. This document does not list the HEAD operations.
- Every operation except those of the token endpoint evaluates \`If-Match\`, \`If-None-Match\`, \`If-Modified-Since\` and \`If-Unmodified-Since\` (RFC 9110 section 13). If the condition in \`If-None-Match\` or \`If-Modified-Since\` of a GET is false, the response is 304. If another condition is false, the status is 412, or 403 in response to a PATCH. The operations that document these header fields as parameters have resources with an \`ETag\`. Any other resource matches only \`*\`: \`If-Match\` with an entity tag fails with 412. A date has no effect on a resource without \`Last-Modified\`.
- The service ignores query parameters that this document does not name.
- If the credentials are valid, a request to an unknown path returns 404, and a request with a method that the path does not support returns 405 with an \`Allow\` header.
- Errors are problem documents (RFC 9457), except the errors of the token endpoint, which follow RFC 6749. \`type\` identifies the kind of problem, and \`detail\` is a human-readable description of it. A response that API Gateway generates itself has the type \`about:blank\`, so only the status identifies the problem.
- A response with the status 204 or 205 has no body. Ignore its \`Content-Type\`, which API Gateway adds.
- No path supports \`TRACE\` or custom methods. AWS does not document how API Gateway responds to them.
- Do not send the header \`X-HTTP-Method-Override\`. In some cases, API Gateway replaces the method of the request with the method in this header. The service therefore rejects every request in which it finds the header.`;

export type Document = ReturnType<typeof openApiDocument>;

export function openApiDocument() {
  return {
    openapi: '3.1.1',
    info: {
      title: 'Dog service',
      version: manifest.version,
      summary: 'Three variants of a REST API that makes dogs bark',
      description: introduction,
      contact: { name: 'The operator of this service' },
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    // Relative to the document, which is directly below the service's URL in every stage.
    servers: [{ url: '.', description: 'The service that publishes this document.' }],
    security: [{ basic: [] }, { bearer: [] }],
    tags,
    paths: paths(),
    'x-other-paths': otherPaths(),
    'x-problem-types': problemDescriptions(),
    components: {
      schemas: schemas(),
      parameters: preconditions as Readonly<Record<string, Parameter>>,
      headers: headers as Readonly<Record<string, Header>>,
      responses: responseComponents(),
      securitySchemes: {
        basic: {
          type: 'http',
          scheme: 'basic',
          description: 'The name and the password of a user (RFC 7617).',
        },
        bearer: {
          type: 'http',
          scheme: 'bearer',
          bearerFormat: 'JWT',
          description: 'An access token from the token endpoint (RFC 6750).',
        },
      },
    },
  };
}

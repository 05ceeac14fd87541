import { headers } from './headers.ts';
import { otherPaths, paths } from './paths.ts';
import { problemDescriptions } from './problem-descriptions.ts';
import { responseComponents } from './responses.ts';
import { schemas } from './schemas.ts';
import { tags } from './tags.ts';
import type { Document } from './types.ts';

const introduction = `The dog service shows how a REST API offers an action without a verb in the URL. The action is a bark. To make a dog bark, a client creates or changes a resource. The settings of the dog determine what the bark does: it sends mail to the dog or its owner, increases the bark count, or is recorded as a resource with its own URL.

The service offers the action in three variants, which share the same dogs:

- Variant A has a collection of barks. \`POST /v1/dogs/rex/barks\` makes the dog "rex" bark.
- Variant B has a schedule on the dog. \`PATCH /v1/dogs/rex\` sets when the dog barks.
- Variant C has one sub-resource for the last bark and one for the schedule: \`bark\` and \`bark-schedule\`.

These rules apply to all operations:

- Times are Unix seconds.
- Paths with and without a trailing slash identify the same resource.
- HEAD is supported wherever GET is. The response to HEAD has the status and the header fields of GET, and no body. This document lists no HEAD operations.
- The service ignores query parameters that this document does not name.
- The response to an unknown path is 404 if the credentials are valid. The response to a method that a path does not support is 405 with \`Allow\`.
- Errors are problem documents (RFC 9457), except the errors of the token endpoint, which follow RFC 6749. The \`type\` identifies the kind of problem, and the \`detail\` is for people. A response that API Gateway generates itself has the type \`about:blank\`. Only its status identifies the problem.
- No operation supports \`TRACE\` or custom methods. AWS does not document how API Gateway responds to them.
- Do not send \`X-HTTP-Method-Override\`. API Gateway obeys the header in some cases, and the service rejects every request in which it sees the header.`;

/** Returns the description of the interface as an OpenAPI 3.1 document. */
export function openApiDocument(): Document {
  return {
    openapi: '3.1.1',
    info: {
      title: 'Dog service',
      version: '0.1.0',
      summary: 'Makes dogs bark, with three variants of a REST API',
      description: introduction,
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    // Relative to the URL of the document, which is at the root of the service in every stage.
    servers: [{ url: '.', description: 'The service that publishes this document.' }],
    security: [{ basic: [] }, { bearer: [] }],
    tags: tags(),
    paths: paths(),
    'x-other-paths': otherPaths(),
    'x-problem-types': problemDescriptions(),
    components: {
      schemas: schemas(),
      headers,
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

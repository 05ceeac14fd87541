import type { Route } from '../lambdas/contract/routes.ts';
import { headers } from './headers.ts';
import { otherPaths, paths } from './paths.ts';
import { commonResponses } from './responses.ts';
import { schemas } from './schemas.ts';
import type { Document } from './types.ts';

const tags: Readonly<Record<Route['variant'], string>> = {
  A: 'The factory sub-resource `barks`: each POST makes a bark, which may be a resource of its own',
  B: 'A bark schedule by a partial update of the dog',
  C: 'The sub-resources `bark-schedule` and `bark`',
  token: 'The exchange of a refresh token for an access token',
  extension:
    'What the three variants leave open: the list, creation and deletion of dogs, and how to find one’s way',
};

const introduction = `A dog barks because of a resource, never because of a verb. What a bark does is the dog's own state.

Times are Unix seconds. A path with and without a slash at its end is one resource. Where there is a GET there is a HEAD.
Query parameters that are not named here are ignored. What no path answers is 404 to who may call at all, and a method that a path does not
answer is 405 with \`Allow\`. \`TRACE\` and custom methods select no operation, and AWS does not document how API Gateway responds
to them. Do not send \`X-HTTP-Method-Override\`: the service refuses the header if it sees it, and otherwise API Gateway obeys it.
Every error is a problem (RFC 9457), but for those of the token endpoint (RFC 6749).`;

/**
 * Returns the description of the interface.
 *
 * @see {@link https://spec.openapis.org/oas/v3.1.0 OpenAPI 3.1}
 */
export function openApiDocument(): Document {
  return {
    openapi: '3.1.1',
    info: {
      title: 'Dog service',
      version: '0.1.0',
      summary: 'Makes dogs bark, in three variants of REST',
      description: introduction,
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    // Relative to the URL of the document, which is at the root of the service in every stage.
    servers: [{ url: '.', description: 'The service that shows this document' }],
    security: [{ basic: [] }, { bearer: [] }],
    tags: Object.entries(tags).map(([name, description]) => ({ name, description })),
    paths: paths(),
    'x-other-paths': otherPaths(),
    components: {
      schemas: schemas(),
      headers,
      responses: commonResponses(),
      securitySchemes: {
        basic: {
          type: 'http',
          scheme: 'basic',
          description: 'The name and the password of a user (RFC 7617)',
        },
        bearer: {
          type: 'http',
          scheme: 'bearer',
          bearerFormat: 'JWT',
          description: 'An access token of the token endpoint (RFC 6750)',
        },
      },
    },
  };
}

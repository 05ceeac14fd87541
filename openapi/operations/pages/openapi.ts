import manifest from '../../../package.json' with { type: 'json' };
import type { MediaType } from '../../types.ts';
import { file } from '../file.ts';

const openApi: MediaType = {
  schema: {
    type: 'object',
    required: ['openapi', 'info', 'paths', 'components'],
    properties: {
      openapi: { type: 'string', const: '3.1.1', description: 'The version of OpenAPI.' },
      info: { type: 'object', description: 'The title, the version and the introduction.' },
      paths: { type: 'object', description: 'The operations, by path and method.' },
      components: {
        type: 'object',
        description: 'The schemas, header fields and responses that operations share.',
      },
    },
  },
  examples: {
    document: {
      summary: 'An outline of the document',
      value: {
        openapi: '3.1.1',
        info: { title: 'Dog service', version: manifest.version },
        paths: {},
        components: {},
      },
    },
  },
};

export const GetOpenApi = file(
  'Returns the API description for programs, in the OpenAPI 3.1 format.',
  'application/json',
  openApi,
);

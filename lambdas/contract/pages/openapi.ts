export const openApiRoute = {
  name: 'GetOpenApi',
  method: 'GET',
  path: '/openapi.json',
  entry: 'api/openapi.ts',
  access: 'public',
  capabilities: {},
  variant: 'extension',
  summary: 'Get the OpenAPI description',
} as const;

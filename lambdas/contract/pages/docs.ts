export const docsRoute = {
  name: 'GetDocs',
  method: 'GET',
  path: '/docs',
  entry: 'api/docs.ts',
  access: 'public',
  capabilities: {},
  variant: 'extension',
  summary: 'Get the documentation',
} as const;

export const consoleRoute = {
  name: 'GetConsole',
  method: 'GET',
  path: '/',
  entry: 'api/console.ts',
  access: 'public',
  capabilities: {},
  variant: 'extension',
  summary: 'Get the console',
} as const;

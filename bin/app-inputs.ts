/** The sources of the CDK app in `cdk.json`. `npm start` reloads the code when they change. */
export const appSources = [
  'bin/cdk-app.ts',
  // @extension console|docs {
  'bin/linked-pages.ts',
  'bin/pages',
  'web',
  // @extension console|docs }
  'bin/pages.ts',
  'cdk.json',
  'client',
  'docs/guides', // @extension docs
  'lambdas',
  'lib',
  'openapi',
  'stages',
];

/** What the CDK app reads to synthesize the stack. npm rewrites the last file on each installation. */
export const appInputs = [
  ...appSources,
  'local/template',
  'package.json',
  'package-lock.json',
  'tsconfig.json',
  'node_modules/.package-lock.json',
];

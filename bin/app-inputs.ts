/** What the CDK app in `cdk.json` reads to synthesize the stack. npm rewrites the last file on each installation. */
export const appInputs = [
  'bin',
  'client',
  'docs/guides',
  'lambdas',
  'lib',
  'local/template',
  'openapi',
  'stages',
  'web',
  'cdk.json',
  'package.json',
  'package-lock.json',
  'tsconfig.json',
  'node_modules/.package-lock.json',
];

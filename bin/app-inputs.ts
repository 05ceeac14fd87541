/** The files and folders from which the CDK app of `cdk.json` makes the stack. npm writes the last one on each installation. */
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

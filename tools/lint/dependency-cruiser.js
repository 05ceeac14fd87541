/**
 * The plan for the code layout: each folder, what its files may import, and why. `npm run check -- imports` enforces the plan with
 * dependency-cruiser, for type imports too. It parses with swc, because TypeScript 7 offers no API for this. swc does not report
 * type expressions such as `import('…').Dog`, so `test/layout.test.ts` forbids them.
 *
 * `may` lists what the files may import, and `mayImportTypesOf` lists what else they may import, but only with `import type`.
 * `mayUseNode` permits Node's own modules.
 *
 * @typedef {object} Folder
 * @property {string} name
 * @property {string} because the reason for the limits
 * @property {string} files
 * @property {readonly string[]} may
 * @property {readonly string[]} [mayImportTypesOf]
 * @property {boolean} [mayUseNode]
 */

/** Returns a pattern that matches npm packages. @param {string[]} names patterns that match the packages' names */
const npm = (...names) => `^(?:node_modules/)?(?:@types/)?(?:${names.join('|')})(?:/|$)`;

/** Returns a pattern that matches the local cloud's package: entry points in this repository, by their files, or as a tarball. @param {string[]} files */
const localCloud = (...files) =>
  `^(?:local/(?:${files.join('|')})\\.ts$|node_modules/@rest-actions/local-cloud/)`;

/** This package contains only types. dependency-cruiser does not resolve it, and so does not recognize type imports from it. */
const eventTypes = npm('aws-lambda');

/** The domain's folders from the bottom up, each with the lower folders that it may import. */
const domain = [
  { name: 'platform', may: [] },
  { name: 'dogs', may: ['platform'] },
  { name: 'suspensions', may: ['dogs', 'platform'] },
  { name: 'limits', may: ['dogs', 'platform'] },
  { name: 'barks', may: ['dogs', 'limits', 'platform', 'suspensions'] },
  { name: 'waiting', may: ['barks', 'dogs', 'platform'] }, // @extension waiting
  { name: 'schedules', may: ['barks', 'dogs', 'limits', 'platform', 'suspensions'] },
  { name: 'removal', may: ['barks', 'dogs', 'platform', 'schedules'] },
  { name: 'events', may: ['barks', 'dogs', 'limits', 'platform'] }, // @extension events
  { name: 'access', may: ['platform'] },
  { name: 'tokens', may: ['access', 'platform'] },
  { name: 'credentials', may: ['platform'] },
];

/** @type {readonly Folder[]} */
const folders = [
  {
    name: 'lambdas/contract',
    because:
      'The interface as data is shared by the stack, the functions, the API description and the tests, so it depends on nothing.',
    files: '^lambdas/(contract/|environment\\.ts$)',
    may: [
      '^lambdas/contract/(email-address|segments|pages|pages/.+)\\.ts$',
      '^lambdas/contract/firewall\\.ts$', // @extension firewall
    ],
  },
  {
    name: 'lambdas/domain',
    because:
      'The domain knows the SDK, but not HTTP and not API Gateway. It can be called without a request.',
    files: '^lambdas/domain/',
    may: [
      '^lambdas/domain/',
      '^lambdas/contract/(bark-schedule|dog-id|dog-settings|email-address)\\.ts$',
      '^lambdas/environment\\.ts$',
      npm('@aws-sdk/.*', 'jose', 'oauth4webapi', 'ulid', 'valibot'),
    ],
    mayUseNode: true,
  },
  {
    name: 'lambdas/http',
    because:
      'This folder is the only code that knows API Gateway and HTTP. It calls no AWS service, and it takes only types, schemas and errors from the domain.',
    files: '^lambdas/http/',
    may: [
      '^lambdas/http/',
      '^lambdas/contract/(cors|dog-settings|problem-types|segments)\\.ts$',
      '^lambdas/contract/waiting\\.ts$', // @extension waiting
      '^lambdas/domain/(barks/bark|dogs/(dog|schema)|schedules/schema|suspensions/suspension)\\.ts$',
      '^lambdas/domain/platform/(document|errors|html|json|logging|request-context)\\.ts$',
      npm('@middy/.*', 'negotiator', 'structured-headers', 'valibot'),
      eventTypes,
    ],
    mayImportTypesOf: ['^lambdas/domain/'],
    mayUseNode: true,
  },
  {
    name: 'lambdas/api',
    because:
      'A route parses, calls one domain function and renders. It imports no other route, because each route is a bundle of its own.',
    files: '^lambdas/api/',
    may: [
      '^lambdas/(domain|http)/',
      '^lambdas/api/dogs/bark-endpoint\\.ts$',
      '^lambdas/api/dogs/waiting\\.ts$', // @extension waiting
      '^lambdas/contract/(dog-id|routes)\\.ts$',
    ],
  },
  {
    name: 'lambdas/jobs',
    because: 'A job is a function that no client calls. It imports no route and no other job.',
    files: '^lambdas/jobs/',
    may: ['^lambdas/(domain|http)/', eventTypes],
  },
  {
    name: 'lambdas/credential-provider, lambdas/endpoint-discovery',
    because: 'The bundles contain these modules instead of parts of the SDK that the functions do not need.',
    files: '^lambdas/(credential-provider|endpoint-discovery)\\.ts$',
    may: [npm('@aws-sdk/credential-provider-env')],
  },
  {
    name: 'lib',
    because:
      'The stack reads the contract. It runs no code of the functions, and does not know how the interface is described.',
    files: '^lib/',
    may: [
      '^lib/',
      '^lambdas/contract/',
      npm('@valibot/to-json-schema', 'aws-cdk-lib', 'constructs', 'esbuild', 'leven', 'valibot'),
    ],
    mayImportTypesOf: ['^lambdas/(environment|domain/platform/logging)\\.ts$'],
    mayUseNode: true,
  },
  {
    name: 'openapi/tools',
    because: 'The tools lint the API description and generate the types of the client from it.',
    files: '^openapi/tools/',
    may: [
      '^openapi/(digest|document)\\.ts$',
      '^openapi/events\\.ts$', // @extension events
      '^lib/command-line\\.ts$',
      '^tools/install\\.ts$',
    ],
    mayUseNode: true,
  },
  {
    name: 'openapi',
    because:
      'The API description is made from the contract and from the schemas that validate requests, not from the stack.',
    files: '^openapi/(?!tools/)',
    may: [
      '^openapi/(?!tools/)',
      '^web/(docs/operation-request|shared/http/(requests|snippets/.+))\\.ts$',
      '^lambdas/contract/(bark-schedule|dog-id|dog-settings|gateway-responses|pages|problem-types|routes|status-text)\\.ts$',
      '^lambdas/contract/waiting\\.ts$', // @extension waiting
      '^lambdas/domain/(barks/bark|dogs/dog|suspensions/subscription|[a-z]+/schema)\\.ts$',
      // Contains the version.
      '^package\\.json$',
      npm('@valibot/to-json-schema', 'marked', 'valibot'),
    ],
    mayImportTypesOf: ['^lambdas/domain/events/event\\.ts$'], // @extension events
    mayUseNode: true,
  },
  {
    name: 'local',
    because:
      'The local cloud is made from the synthesized template. It imports no code of the functions or of the stack, because it knows nothing about dogs.',
    files: '^local/(?!test/)',
    may: [
      '^local/(?!test/)',
      npm('chokidar', 'negotiator', 'postal-mime', 'valibot', '@aws-(?:sdk|crypto)/.*', '@smithy/.*'),
      eventTypes,
    ],
    mayUseNode: true,
  },
  {
    name: 'local/test',
    because: 'The tests of the local cloud go where it goes, so they need nothing of this project.',
    files: '^local/test/',
    may: ['^local/', '^node_modules/', eventTypes],
    mayUseNode: true,
  },
  {
    name: 'bin/cdk-app',
    because: 'The CDK app brings the stack and the pages together.',
    files: '^bin/((cdk-app|linked-pages|pages)\\.ts$|pages/)',
    may: [
      '^bin/(linked-pages|pages)\\.ts$',
      '^lambdas/http/content-security-policy\\.ts$',
      '^lib/',
      '^openapi/(document|page)\\.ts$',
      npm('esbuild'),
    ],
    mayUseNode: true,
  },
  {
    name: 'bin/browser, bin/printable',
    because: 'npm start and the command line open the same browser and write to the same terminals.',
    files: '^bin/(browser|printable)\\.ts$',
    may: [],
    mayUseNode: true,
  },
  {
    name: 'bin/deploy',
    because:
      'A deployment checks the account before the CDK runs, which synthesizes the stack in its own process.',
    files: '^bin/deploy(\\.ts$|/)',
    may: [
      '^bin/deploy/',
      '^bin/cli/(deployment|errors|protection|terminal)\\.ts$',
      '^bin/printable\\.ts$',
      '^lib/(settings|stages)\\.ts$',
      npm('@aws-sdk/client-(?:api-gateway|cloudformation|lambda|sesv2|ssm|sts)'),
    ],
    mayUseNode: true,
  },
  // @extension verify {
  {
    name: 'bin/verify',
    because:
      'The command verifies a deployment through HTTP, as an operator who creates a user and a client.',
    files: '^bin/verify(\\.ts$|/)',
    may: [
      '^bin/verify/',
      '^bin/cli/(commands/credentials|deployment|errors|new-client|parameters|terminal)\\.ts$',
      '^bin/printable\\.ts$',
      '^lib/(command-line|stages)\\.ts$',
      localCloud('platform/index'),
      '^lambdas/domain/access/',
      '^lambdas/domain/credentials/credential\\.ts$',
      '^lambdas/domain/platform/errors\\.ts$',
      npm('@aws-sdk/client-(?:cloudformation|cloudwatch|eventbridge)'),
    ],
    mayUseNode: true,
  },
  // @extension verify }
  {
    name: 'bin/start',
    because:
      'npm start runs the local cloud and then does the first start of this service, by its API and the operator commands.',
    files: '^bin/start(\\.mjs$|/)',
    may: [
      '^tools/node/(packages|version)\\.mjs$',
      '^bin/(start/|(app-inputs|browser|pages|printable)\\.ts$)',
      '^lib/(bundles|command-line|settings)\\.ts$',
      localCloud('start', 'platform/index', 'template/index'),
    ],
    mayImportTypesOf: ['^bin/cli/thread\\.ts$'],
    mayUseNode: true,
  },
  {
    name: 'bin/cli',
    because:
      'The commands of a user call the HTTP API with the typed client. The commands of an operator call the domain, as the routes do, and AWS.',
    files: '^bin/cli(\\.mjs$|/)',
    may: [
      '^bin/(cli/|(browser|printable)\\.ts$)',
      '^client/',
      '^tools/node/(packages|version)\\.mjs$',
      '^lambdas/contract/(dog-id|dog-settings)\\.ts$',
      '^lambdas/contract/waiting\\.ts$', // @extension waiting
      '^lambdas/domain/',
      '^openapi/problem-descriptions\\.ts$',
      '^lib/suggestion\\.ts$',
      localCloud('platform/index'),
      npm(
        '@aws-sdk/client-cloudwatch-logs', // @extension events
        '@aws-sdk/client-(?:cloudformation|dynamodb|dynamodb-streams|lambda|sesv2|sqs)',
        '@bomb\\.sh/tab',
        'commander',
        'valibot',
      ),
    ],
    mayImportTypesOf: ['^lambdas/(contract/problem-types|environment)\\.ts$'],
    mayUseNode: true,
  },
  {
    name: 'bin/invoke',
    because:
      'The command calls a deployed function. To fill a sample event, it reads what that function will read.',
    files: '^bin/invoke(\\.ts$|/)',
    may: [
      '^bin/invoke/',
      '^bin/cli/(deployment|error-message|errors|parameters)\\.ts$',
      '^client/index\\.ts$',
      '^lambdas/domain/(platform/json|dogs/(dog|read)|schedules/eventbridge|suspensions/(subscription|suspension))\\.ts$',
      '^lib/(command-line|suggestion)\\.ts$',
      '^bin/printable\\.ts$',
      localCloud('platform/index'),
      npm('@aws-sdk/client-(?:cloudformation|lambda)'),
    ],
    mayUseNode: true,
  },
  {
    name: 'client',
    because: 'Programs use the client outside of this project.',
    files: '^client/',
    may: ['^client/', npm('openapi-fetch')],
  },
  {
    name: 'examples',
    because: 'The examples use the service as any program does.',
    files: '^examples/',
    may: [
      '^client/',
      npm('aws-cdk-lib', 'constructs'), // @extension events
    ],
    mayUseNode: true,
  },
  {
    name: 'web',
    because: 'The pages run in a browser, and see only the interface.',
    files: '^web/',
    may: [
      '^client/',
      '^web/',
      '^lambdas/contract/(bark-schedule|dog-id|dog-settings|email-address|status-text)\\.ts$',
      '^openapi/example-url\\.ts$',
      npm('@preact/.*', 'minisearch', 'preact'),
    ],
    mayImportTypesOf: [localCloud('ses/mail')],
  },
  {
    name: 'tools',
    because: 'The tests and the benchmarks share this code.',
    files: '^tools/',
    may: [
      '^tools/',
      '^lambdas/contract/routes\\.ts$',
      '^lib/command-line\\.ts$',
      localCloud('platform/index', 'template/index'),
      npm('playwright-core'),
      eventTypes,
    ],
    mayImportTypesOf: ['^bin/start/access\\.ts$'],
    mayUseNode: true,
  },
  {
    name: 'test, proof',
    because: 'The tests of the service, and what proves or describes this project, may import everything.',
    files: '^(test|proof)/',
    may: ['.'],
    mayUseNode: true,
  },
  {
    name: 'test/faults/model',
    because:
      'The reference model judges the domain. It shares no code with the domain, because it would then share its errors.',
    files: '^test/faults/model/',
    may: ['^test/faults/model/'],
    mayImportTypesOf: ['^lambdas/domain/'],
  },
  {
    name: 'the root',
    because:
      'The configuration of the tools depends on nothing. That of the tests hides the settings of the user.',
    files: '^[^/]+$',
    may: [localCloud('platform/index')],
    mayUseNode: true,
  },
];

/** @param {Folder} folder */
function rulesOf({ name, because, files, may, mayImportTypesOf = [], mayUseNode = false }) {
  const common = { comment: because, severity: 'error', from: { path: files } };
  const core = mayUseNode ? { dependencyTypesNot: ['core'] } : {};
  return [
    { ...common, name, to: { pathNot: [...may, ...mayImportTypesOf], ...core } },
    ...(mayImportTypesOf.length > 0
      ? [
          {
            ...common,
            name: `${name}: types only`,
            to: { path: [...mayImportTypesOf], pathNot: [...may], dependencyTypesNot: ['type-only'] },
          },
        ]
      : []),
  ];
}

export default {
  forbidden: [
    {
      name: 'no cycles',
      comment:
        'Files that import each other, even if only for types, can be understood and tested only together.',
      severity: 'error',
      from: {},
      to: { circular: true },
    },
    {
      name: 'nothing imports test',
      comment: 'The tests can be removed, and everything else still works.',
      severity: 'error',
      from: { pathNot: '^(test|proof)/' },
      to: { path: '^test/' },
    },
    {
      name: 'nothing imports proof',
      comment: 'The folder can be deleted, and all checks and tests still pass.',
      severity: 'error',
      from: { pathNot: '^proof/' },
      to: { path: '^proof/' },
    },
    {
      name: 'everything imported exists',
      comment:
        'A path or a package is wrong. aws-lambda has only types, which dependency-cruiser does not resolve. The packages of `proof` need not be installed; its own check compiles it.',
      severity: 'error',
      from: { pathNot: '^proof/' },
      to: { couldNotResolve: true, pathNot: '^aws-lambda$' },
    },
    {
      name: 'functions import dependencies',
      comment:
        'The bundles contain only packages that package.json lists as dependencies, not as devDependencies.',
      severity: 'error',
      from: { path: '^lambdas/' },
      to: { dependencyTypes: ['npm-dev'], dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'test/faults: no rules of the domain',
      comment:
        'The tests of faults and races call the operations of the domain. They judge the results by their own model, not by the rules and keys of the domain.',
      severity: 'error',
      from: { path: '^test/faults/' },
      to: {
        path: '^lambdas/domain/',
        pathNot: [
          '^lambdas/domain/(access|credentials|platform|tokens)/',
          '^lambdas/domain/barks/(cancel|create|perform|queries)\\.ts$',
          '^lambdas/domain/(dogs/(delete|put|read)|removal/purge|suspensions/(subscription|suspend))\\.ts$',
          '^lambdas/domain/waiting/', // @extension waiting
          '^lambdas/domain/schedules/(change|read|repair)\\.ts$',
        ],
        dependencyTypesNot: ['type-only'],
      },
    },
    {
      name: 'each file is in a folder of the plan',
      comment: 'A new folder needs an entry that states what it may import.',
      severity: 'error',
      from: { pathNot: folders.map(({ files }) => files) },
      to: {},
    },
    ...domain.map(({ name, may }) => ({
      name: `lambdas/domain/${name}`,
      comment:
        'The folders of the domain have an order, so that a reader of one never has to know those above it.',
      severity: /** @type {const} */ ('error'),
      from: { path: `^lambdas/domain/${name}/` },
      to: { path: '^lambdas/domain/', pathNot: `^lambdas/domain/(${[name, ...may].join('|')})/` },
    })),
    ...folders.flatMap(rulesOf),
  ],
  options: {
    parser: 'swc',
    doNotFollow: { path: '(^|/)node_modules/' },
    exclude: { path: '^((local/)?\\.build|\\.git|\\.local[^/]*|cdk\\.out|coverage|proof/clients/programs)/' },
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['types', 'import', 'node', 'default'],
      extensions: ['.ts', '.tsx', '.mjs', '.js', '.cjs'],
    },
  },
};

interface Files {
  /** Files, folders and glob patterns. */
  readonly files: readonly string[];
  /** npm packages that nothing else uses. */
  readonly packages?: readonly string[];
  /** npm packages that no other function uses, but tools do. */
  readonly toolPackages?: readonly string[];
}

/** What belongs to a part of the service that can be left out. Marks in other files show the rest: see `marks.ts`. */
interface Extension extends Files {
  /** What the service lacks without it. */
  readonly without: string;
  /** A regular expression for the words that nothing contains without the extension. */
  readonly words: RegExp;
}

/** The parts of the service that the specification does not require. */
export const extensions: Readonly<Record<string, Extension>> = {
  firewall: {
    without: 'a single IP address can use up the request limits that all clients share',
    files: ['lambdas/contract/firewall.ts', 'lib/extensions/firewall.ts', 'test/lib/extensions/firewall'],
    words: /firewall|\bWAF/i,
  },
  budget: {
    without: 'nothing warns you that the stack costs more than planned',
    files: ['lib/extensions/budget.ts', 'test/lib/extensions/budget'],
    words: /monthlyBudget|CfnBudget|AWS Budgets/,
  },
  canary: {
    without: 'new code gets all traffic at once',
    files: [
      'bin/deploy/aliases.ts',
      'lib/extensions/canary.ts',
      'test/bin/deploy',
      'test/lib/extensions/canary',
      'test/start/details/releases.test.ts',
    ],
    words: /canar(y|ies)/i,
  },
  docs: {
    without: 'only /openapi.json describes the API, and the links in the type of problems lead nowhere',
    files: [
      'bin/pages/docs.ts',
      'bin/start/pages/docs.ts',
      'docs/guides',
      'events/GetDocs.json',
      'lambdas/api/docs.ts',
      'lambdas/contract/pages/docs.ts',
      'openapi/operations/pages/docs.ts',
      'openapi/page',
      'openapi/page.ts',
      'test/blackbox/{guides,reference}.test.ts',
      'test/console/docs.test.ts',
      'test/openapi/{guides,page,samples}.test.ts',
      'test/support/shown-responses.ts',
      'test/web/docs',
      'web/docs',
    ],
    packages: ['highlight.js', 'marked', 'minisearch'],
    words: /GetDocs|docsPage|docsUrl|API docs|docs\.html|docs\/guides|(?<![\w.-])\/docs(?![\w./]|#problem-)/,
  },
  console: {
    without: 'users need curl or their own program. The local inbox stays',
    files: [
      'bin/browser.ts',
      'bin/cli/commands/console.ts',
      'bin/cli/tree/console.ts',
      'bin/pages/console.ts',
      'bin/start/pages/console.ts',
      'bin/start/sign-in-link.ts',
      'docs/console.md',
      'events/GetConsole.json',
      'lambdas/api/console.ts',
      'lambdas/contract/pages/console.ts',
      'openapi/operations/pages/console.ts',
      'test/bin/browser.test.ts',
      'test/bin/cli/console-commands.test.ts',
      'test/bin/start/sign-in-link.test.ts',
      'test/console',
      'test/start/sign-in.test.ts',
      'test/web/console',
      'tools/browser.ts',
      'web/console',
    ],
    packages: ['axe-core', 'playwright-core'],
    words:
      /GetConsole|consoleUrl|addSignInPage|signInUrl|open the console|(?<!-)console\.html|docs\/console|web\/console|npx dogs (?:open|sign-in)/,
  },
  cli: {
    without:
      'users need curl, and operators read and write the tables directly. The commands for access, keys and credentials stay',
    files: [
      'bin/cli/commands/{addresses,bark-schedule,barks,clients,dogs,events,grants,orphans,queues,schedules,tables,users}.ts',
      'bin/cli/tree/{dogs,resources}.ts',
      'docs/restore.md',
      'bin/cli/{api,dead-letter-messages,flag,problems,queues,resource-options,responses,setting-values,views,waiting}.ts',
      'lib/command-permissions.ts',
      'test/bin/cli/{commands,control-characters,dead-letter-messages,dog-settings,malformed-responses}.test.ts',
      'test/bin/cli/{queues,setting-values,user-commands}.test.ts',
      'test/bin/cli/{events,evil}.ts',
      'test/start/details/{commands,releases,restore}.test.ts',
      'test/start/{bark-records,filled-tables,messages,removals,resource-commands,stream}.ts',
      'test/support/columns.ts',
    ],
    packages: ['@aws-sdk/client-cloudwatch-logs', '@aws-sdk/client-dynamodb-streams', '@aws-sdk/client-sqs'],
    words:
      /npx dogs (?!access|complete|credentials|keys|needs|open|sign-in|<|--help)[a-z]|`(?:addresses|orphans|queues|schedules|tables) [a-z]+`|askSecret|resourceGroups|grantResourceCommands/,
  },
  verify: {
    without: 'nothing but your own requests shows that a deployed stack works',
    files: ['bin/verify', 'bin/verify.ts', 'test/bin/verify.test.ts', 'test/start/details/verify.test.ts'],
    packages: ['@aws-sdk/client-cloudwatch'],
    words: /npm run verify|#verify\b/,
  },
  events: {
    without: 'other systems must poll',
    files: [
      'bin/cli/commands/events.ts',
      'client/events.schema.json',
      'docs/guides/events.md',
      'events/PublishEvents.json',
      'examples/webhook',
      'lambdas/domain/barks/sent-bark.ts',
      'lambdas/domain/events',
      'lambdas/jobs/publish-events.ts',
      'lib/extensions/events.ts',
      'openapi/{event-data,events}.ts',
      'test/bin/cli/events.ts',
      'test/client/events-schema.test.ts',
      'test/examples/webhook.test.ts',
      'test/faults/event-check.ts',
      'test/faults/scenarios/events.ts',
      'test/lambdas/domain/events',
      'test/lambdas/jobs/publish-events.test.ts',
      'test/lib/extensions/events',
      'test/start/bark-records.ts',
      'test/support/{published-events,streams}.ts',
    ],
    packages: ['@aws-sdk/client-cloudwatch-logs'],
    toolPackages: ['@aws-sdk/client-eventbridge'],
    words:
      /publish-?(events|dlq)|publishes_?.?events|cloud-?event|sent-?bark|EVENT_(BUS|SOURCE)|EventLog|EventsLag|PutEvents|\bwebhook\b|events (guide|tail)|(domain|extensions|guides|openapi)\/events?\b|\.?setting `events`|events: '?true/i,
  },
  waiting: {
    without: 'clients must poll for the outcome of an asynchronous bark',
    files: [
      'bin/cli/waiting.ts',
      'lambdas/{api/dogs,contract,http}/waiting.ts',
      'lambdas/domain/waiting',
      'lib/extensions/waiting.ts',
      'openapi/waiting',
      'test/cases/waiting.test.ts',
      'test/faults/scenarios/waits.ts',
      'test/faults/waiting{,.test}.ts',
      'test/lambdas/{api,http}/waiting.test.ts',
      'test/lambdas/domain/waiting',
      'test/lib/extensions/waiting',
      'test/support/{during-pauses,waiting-scenarios}.ts',
      'web/console/barks/waiting.ts',
    ],
    words: /waitSeconds|\bwait=|Prefer: wait|(domain|contract|extensions)\/waiting\b/i,
  },
};

/** What several extensions need. It goes with the last of them. */
const shared: Readonly<Record<string, Files>> = {
  'budget|canary|events|firewall|waiting': {
    files: ['lib/extensions.ts', 'lib/extensions/extension.ts'],
  },
  'events|verify': { files: [], packages: ['@aws-sdk/client-eventbridge'] },
  'cli|console': { files: ['bin/cli/service.ts'] },
  'console|docs': {
    files: [
      'bin/linked-pages.ts',
      'openapi/operations/html-page.ts',
      'test/bin/pages.test.ts',
      'test/support/{examples,served-files}.ts',
      'test/web',
      'web',
    ],
    packages: ['@preact/signals', 'preact'],
  },
};

/** Returns what a copy lacks without the extensions. */
export function filesWithout(left: readonly string[]): Files[] {
  const unshared = Object.entries(shared).filter(([names]) =>
    names.split('|').every((name) => left.includes(name)),
  );
  return [...left.flatMap((name) => extensions[name] ?? []), ...unshared.map(([, files]) => files)];
}

/** What describes or proves this project. A copy never has it, and the lines that the marks call `project`. */
export const project: readonly string[] = [
  '.ci/{own,run-without-proof}',
  '.github/ISSUE_TEMPLATE',
  '.github/workflows/{platforms,proof}.yml',
  'CHANGELOG.md',
  'CITATION.cff',
  'README.md',
  'SECURITY.md',
  'docs/images',
  'docs/{costs,dependencies,how-it-works,reliability,specification,threat-model,your-own-service}.md',
  // It becomes a tarball.
  'local',
  'proof',
  'test/start/stored-formats',
  'test/start/stored-formats.test.ts',
  'test/tools/{cost,own,rename}.test.ts',
  'test/version.test.ts',
  'tools/own',
  'tools/{cost,rename,year}.ts',
];

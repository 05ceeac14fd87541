/** What belongs to a part of the service that can be left out. Marks in other files show the rest: see `marks.ts`. */
interface Extension {
  /** What the service lacks without it. */
  readonly without: string;
  /** Files, folders and glob patterns. */
  readonly files: readonly string[];
  /** npm packages that nothing else uses. */
  readonly packages?: readonly string[];
  /** npm packages that no other function uses, but tools do. */
  readonly toolPackages?: readonly string[];
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
    files: [],
    words: /GetDocs|docsPage/,
  },
  console: {
    without: 'users need curl or their own program. The local inbox stays',
    files: [],
    words: /GetConsole|\bconsole page/,
  },
  cli: {
    without: 'users need curl, and operators read and write the tables directly',
    files: [],
    words: /userGroups|operatorGroups/,
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

/** The files that several extensions need. They go with the last of these extensions. */
export const shared: Readonly<Record<string, readonly string[]>> = {
  'budget|canary|events|firewall|waiting': ['lib/extensions.ts', 'lib/extensions/extension.ts'],
};

/** What describes or proves this project. A copy never has it, and the lines that the marks call `project`. */
export const project: readonly string[] = [
  '.ci/{own,run-without-proof}',
  '.github/ISSUE_TEMPLATE',
  '.github/workflows/{platforms,proof}.yml',
  'CHANGELOG.md',
  'CITATION.cff',
  'CONTRIBUTING.md',
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

import type { Node } from 'constructs';
import * as v from 'valibot';

/** A value from cdk.json has its type; one from the command line (`-c name=value`) is text. */
const wholeNumber = (least: number, most: number) =>
  v.pipe(
    v.union([v.number(), v.pipe(v.string(), v.decimal(), v.toNumber())], 'must be a number'),
    v.integer('must be a whole number'),
    v.minValue(least, `must be at least ${least}`),
    v.maxValue(most, `must be at most ${most}`),
  );

const truth = v.pipe(
  v.union([v.boolean(), v.picklist(['true', 'false'])], 'must be true or false'),
  v.transform((value) => value === true || value === 'true'),
);

/** What CloudWatch Logs accepts. */
const retentions = [
  1, 3, 5, 7, 14, 30, 60, 90, 120, 150, 180, 365, 400, 545, 731, 1096, 1827, 2192, 2557, 2922, 3288, 3653,
];

/** From the command line a list is one text, with commas. */
const names = v.pipe(
  v.union([v.array(v.string()), v.string()], 'must be a list of names'),
  v.transform((list) => (typeof list === 'string' ? list.split(',').filter(Boolean) : list)),
  v.check(
    (list) => list.every((name) => /^[A-Za-z][A-Za-z0-9]{0,31}$/.test(name)),
    'must have names of letters and digits, which begin with a letter',
  ),
  v.check((list) => new Set(list).size === list.length, 'must not have a name twice'),
  // They must fit into a variable of a function.
  v.maxLength(10, 'must have at most 10 names'),
);

/** From the command line: `team=dogs,cost-center=42`. */
const tags = v.pipe(
  v.union([v.record(v.string(), v.string()), v.string()], 'must be names with values'),
  v.transform((given) => (typeof given === 'string' ? pairsIn(given) : given)),
  v.check(
    (given) => Object.entries(given).every(([name, value]) => tagName.test(name) && tagValue.test(value)),
    'must have names and values of letters, digits, spaces and _ . : / = + - @, as AWS has them',
  ),
);
const tagName = /^(?!aws:)[\p{L}\p{N} _.:/=+@-]{1,128}$/iu;
const tagValue = /^[\p{L}\p{N} _.:/=+@-]{1,256}$/u;

function pairsIn(list: string): Record<string, string> {
  const pairs = list.split(',').map((pair) => pair.trim());
  return Object.fromEntries(
    pairs.filter(Boolean).map((pair) => {
      const [name = '', ...value] = pair.split('=');
      return [name, value.join('=')];
    }),
  );
}

function isDomain(name: string): boolean {
  const label = '[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?';
  return new RegExp(`^(${label}\\.)+${label}$`).test(name);
}

/** The origin of a URL, as browsers send it. A quotation mark would end the value in API Gateway's mappings. */
function originOf(url: string): string | undefined {
  return URL.canParse(url) && !url.includes("'") ? new URL(url).origin : undefined;
}

/** An ARN of a service, or nothing. */
const arnOr = (service: string, resource: string, pattern: RegExp) =>
  v.pipe(
    v.string('must be given'),
    v.check(
      (arn) =>
        arn === '' || (new RegExp(`^arn:[\\w-]+:${service}:[\\w-]+:\\d{12}:`).test(arn) && pattern.test(arn)),
      `must be an ARN such as arn:aws:${service}:us-east-1:123456789012:${resource}, or empty`,
    ),
  );

const Fields = v.object({
  /** Names the deployment; two stages live side by side in one account. */
  stage: v.pipe(
    v.string('must be given'),
    v.regex(/^[a-z][a-z0-9]{0,15}$/, 'must be 1 to 16 small letters and digits, beginning with a letter'),
  ),
  /** The address that mail comes from; SES must have verified it, or its domain. */
  mailSender: v.pipe(v.string('must be given'), v.rfcEmail('must be an e-mail address')),
  /** The address or the domain that the stack has SES verify. Empty: it is verified already. */
  mailIdentity: v.pipe(
    v.string('must be given'),
    v.check(
      (identity) => identity === '' || isDomain(identity.replace(/^[^@\s]+@/, '')),
      'must be an e-mail address or a domain, or empty',
    ),
  ),
  /** Where clients call the service, if it has a name of its own: who issues access tokens. Empty: a URN instead. */
  baseUrl: v.pipe(
    v.string('must be given'),
    v.regex(/^(https:\/\/[^?#\s]+[^/?#\s])?$/, 'must be an https URL without a slash at its end, or empty'),
  ),
  /** The name under which API Gateway serves the API, and the certificate for it, of ACM in the same region. */
  domainName: v.pipe(
    v.string('must be given'),
    v.check((name) => name === '' || isDomain(name), 'must be a domain name in small letters, or empty'),
  ),
  certificateArn: arnOr('acm', 'certificate/<its id>', /:\d{12}:certificate\/[0-9a-f-]{36}$/),
  /** The origin whose pages may call from a browser: one, or `*` for all. Empty: none. */
  corsOrigin: v.pipe(
    v.string('must be given'),
    v.check(
      (origin) => ['', '*', originOf(origin)].includes(origin),
      'must be an origin such as https://app.example, or *, or empty',
    ),
  ),
  /** The credentials that are kept fresh in Secrets Manager, by names of your own. */
  credentials: names,
  /** The KMS key that encrypts tables, secrets, queues and logs. Empty: the keys that AWS owns. */
  encryptionKeyArn: arnOr('kms', 'key/<its id>', /:\d{12}:key\/(mrk-[0-9a-f]{32}|[0-9a-f-]{36})$/),
  /** Keeps what cannot be made again, whatever happens to the stack: tables, secrets and schedules. */
  deletionProtection: truth,
  /** How long the authorizer's answer is reused: a revoked password may pass that much longer. 0 turns it off. */
  authorizerCacheSeconds: wholeNumber(0, 3600),
  /** How many concurrent invocations Lambda reserves for the authorizer, and its maximum. 0: no reservation. */
  authorizerReservedConcurrency: wholeNumber(0, 10_000),
  /** How many purges of deleted dogs run at once for each shard of the stream. */
  purgeConcurrency: wholeNumber(1, 10),
  /** How long an asynchronous bark can be cancelled before it takes effect. */
  cancellationWindowSeconds: wholeNumber(0, 3600),
  logRetentionDays: v.pipe(
    wholeNumber(1, 3653),
    v.check((days) => retentions.includes(days), `must be one of ${retentions.join(', ')}`),
  ),
  /** The processor that the functions run on. */
  architecture: v.picklist(['arm64', 'x86_64'], 'must be arm64 or x86_64'),
  memoryMegabytes: wholeNumber(512, 10_240),
  /** How many requests API Gateway accepts for each method, in the long run and at once. Beyond that, it returns 429. */
  requestsPerSecond: wholeNumber(1, 10_000),
  requestBurst: wholeNumber(1, 5_000),
  /** The same for each method that anyone may call without credentials, except the token endpoint. */
  publicRequestsPerSecond: wholeNumber(1, 10_000),
  publicRequestBurst: wholeNumber(1, 5_000),
  /** The same for each method of the token endpoint. */
  tokenRequestsPerSecond: wholeNumber(1, 10_000),
  tokenRequestBurst: wholeNumber(1, 5_000),
  /** How many requests WAF lets pass from one address in five minutes. 0: there is no WAF. */
  firewallRequestsPerAddress: v.pipe(
    wholeNumber(0, 2_000_000_000),
    v.check((limit) => limit === 0 || limit >= 10, 'must be 0 or at least 10'),
  ),
  /** How a new version of the functions gets its traffic. */
  releases: v.picklist(['allAtOnce', 'canary'], 'must be allAtOnce or canary'),
  /** Traces requests through API Gateway, functions and workflow with X-Ray. */
  tracing: truth,
  /** Logs each request. Needs the account's role for logs of API Gateway, which the stack must not make. */
  accessLogs: truth,
  /** Raises an alarm if the API gets fewer requests than this in an hour. 0: no alarm. */
  minimumRequestsPerHour: wholeNumber(0, 1_000_000_000),
  /** The topic of SNS that alarms go to. Empty: they are seen in CloudWatch alone. */
  alarmTopicArn: arnOr('sns', '<topic>', /:\d{12}:[\w-]+$/),
  /** What the stack may cost in a month before an alarm tells of it, in dollars. 0: there is no budget. */
  monthlyBudgetDollars: wholeNumber(0, 1_000_000),
  /** Tags of every resource. */
  tags,
});

/** What must fit together. */
const Settings = v.pipe(
  Fields,
  v.forward(
    v.check(
      ({ domainName, certificateArn }) => (domainName === '') === (certificateArn === ''),
      'must be given with domainName, and only then',
    ),
    ['certificateArn'],
  ),
  v.forward(
    v.check(
      ({ monthlyBudgetDollars, alarmTopicArn }) => monthlyBudgetDollars === 0 || alarmTopicArn !== '',
      'must be given with monthlyBudgetDollars',
    ),
    ['alarmTopicArn'],
  ),
  v.forward(
    v.check(
      ({ mailIdentity, mailSender }) => mailIdentity === '' || isOf(mailSender, mailIdentity),
      'must be mailSender, or a domain that it is of',
    ),
    ['mailIdentity'],
  ),
);

export type Settings = v.InferOutput<typeof Settings>;

/** Whether SES lets an address send that has verified this identity: the address itself, or a domain above it. */
function isOf(address: string, identity: string): boolean {
  const [, domain = ''] = address.split('@');
  return address === identity || `.${domain.toLowerCase()}`.endsWith(`.${identity}`);
}

/** The settings are wrong; the message says which, and how to set them. */
export class SettingsError extends Error {
  override readonly name = 'SettingsError';
}

/** The sender as long as none is set, so that the template can be made at once; SES will not have it. */
export const exampleSender = 'dogs@example.com';

export const defaultSettings: Settings = {
  stage: 'prod',
  mailSender: exampleSender,
  mailIdentity: '',
  baseUrl: '',
  domainName: '',
  certificateArn: '',
  corsOrigin: '',
  credentials: ['dogs'],
  encryptionKeyArn: '',
  deletionProtection: true,
  authorizerCacheSeconds: 60,
  authorizerReservedConcurrency: 0,
  purgeConcurrency: 2,
  cancellationWindowSeconds: 5,
  logRetentionDays: 30,
  architecture: 'arm64',
  memoryMegabytes: 512,
  requestsPerSecond: 100,
  requestBurst: 200,
  publicRequestsPerSecond: 20,
  publicRequestBurst: 40,
  tokenRequestsPerSecond: 10,
  tokenRequestBurst: 20,
  firewallRequestsPerAddress: 0,
  releases: 'allAtOnce',
  tracing: true,
  accessLogs: false,
  minimumRequestsPerHour: 0,
  alarmTopicArn: '',
  monthlyBudgetDollars: 0,
  tags: {},
};

/**
 * The settings of a deployment: the defaults, but for what the CDK context has, from `cdk.json` or `-c name=value`.
 *
 * @throws SettingsError
 */
export function readSettings(node: Node): Settings {
  const context = Object.fromEntries(
    Object.entries(defaultSettings).map(([name, value]) => {
      const given = node.tryGetContext(name);
      return [name, given === undefined ? value : given];
    }),
  );
  const result = v.safeParse(Settings, context);
  const unknown = unknownNames(node).map((name) => `  ${name} is no setting`);
  if (result.success && unknown.length === 0) return result.output;
  const faults = (result.issues ?? []).map((issue) => {
    const name = String(issue.path?.[0].key);
    return `  ${name} ${issue.message}, but is ${JSON.stringify(context[name]) ?? 'not set'}`;
  });
  throw new SettingsError(
    `These settings are wrong. Set them under "context" in cdk.json, or with -c name=value:\n${[...faults, ...unknown].join('\n')}`,
  );
}

/** What was perhaps meant as a setting; the context of the CDK itself has other signs in its names. */
function unknownNames(node: Node): string[] {
  const names: string[] = Object.keys(node.getAllContext());
  return names.filter((name) => !/[:@/]/.test(name) && name !== 'cli-telemetry' && !(name in Fields.entries));
}

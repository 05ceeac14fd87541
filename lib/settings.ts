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

const Settings = v.object({
  /** Names the deployment; two stages live side by side in one account. */
  stage: v.pipe(
    v.string('must be given'),
    v.regex(/^[a-z][a-z0-9]{0,15}$/, 'must be 1 to 16 small letters and digits, beginning with a letter'),
  ),
  /** The address that mail comes from; SES must have verified it, or its domain. */
  mailSender: v.pipe(v.string('must be given'), v.rfcEmail('must be an e-mail address')),
  /** Where clients call the service, if it has a name of its own: who issues access tokens. Empty: a URN instead. */
  baseUrl: v.pipe(
    v.string('must be given'),
    v.regex(/^(https:\/\/[^?#\s]+[^/?#\s])?$/, 'must be an https URL without a slash at its end, or empty'),
  ),
  /** The credentials that are kept fresh in Secrets Manager, by names of your own. */
  credentials: names,
  /** Keeps what cannot be made again, whatever happens to the stack: tables, secrets and schedules. */
  deletionProtection: truth,
  /** How long the authorizer's answer is reused: a revoked password may pass that much longer. 0 turns it off. */
  authorizerCacheSeconds: wholeNumber(0, 3600),
  /** How long an asynchronous bark can be cancelled before it takes effect. */
  cancellationWindowSeconds: wholeNumber(0, 3600),
  logRetentionDays: v.pipe(
    wholeNumber(1, 3653),
    v.check((days) => retentions.includes(days), `must be one of ${retentions.join(', ')}`),
  ),
  memoryMegabytes: wholeNumber(512, 10_240),
  /** What the stage lets pass in the long run, and in a burst, before it answers 429. */
  requestsPerSecond: wholeNumber(1, 10_000),
  requestBurst: wholeNumber(1, 5_000),
});

export type Settings = v.InferOutput<typeof Settings>;

/** The settings are wrong; the message says which, and how to set them. */
export class SettingsError extends Error {
  override readonly name = 'SettingsError';
}

/** The sender that cdk.json names so that the template can be made at once; SES will not have it. */
export const exampleSender = 'dogs@example.com';

/**
 * The settings of a deployment, out of the CDK context: `cdk.json`, or `-c name=value`.
 *
 * @throws SettingsError
 */
export function readSettings(node: Node): Settings {
  const context = Object.fromEntries(
    Object.keys(Settings.entries).map((name) => [name, node.tryGetContext(name)]),
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
  return names.filter((name) => /^\w+$/.test(name) && !(name in Settings.entries));
}

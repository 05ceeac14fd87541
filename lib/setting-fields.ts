import * as v from 'valibot';
import { emailAddress, isEmailAddress, maxLocalPartLength } from '../lambdas/contract/email-address.ts';
import { described, wholeNumber } from './setting-types.ts';

const truth = v.boolean('must be true or false');

/** The retention periods that CloudWatch Logs accepts, in days. */
const retentions = [
  1, 3, 5, 7, 14, 30, 60, 90, 120, 150, 180, 365, 400, 545, 731, 1096, 1827, 2192, 2557, 2922, 3288, 3653,
];

const names = v.pipe(
  v.array(v.string('must be a list of names'), 'must be a list of names'),
  v.check(
    (list) => list.every((name) => /^[A-Za-z][A-Za-z0-9]{0,31}$/.test(name)),
    'must be names of 1 to 32 letters and digits, each beginning with a letter',
  ),
  v.check((list) => new Set(list).size === list.length, 'must not repeat a name'),
  // A function's environment variables total at most 4 KB. One contains the names and secret ARNs of all credentials.
  v.maxLength(10, 'must have at most 10 names'),
);

/** valibot omits these names from a record without reporting them. */
const omittedNames = ['__proto__', 'constructor', 'prototype'];

const tagsRule =
  'must be an object with string values, or name=value pairs with different names, separated by commas, on the command line';

const tags = v.pipe(
  v.unknown(),
  v.check((given) => !Array.isArray(given), tagsRule),
  v.check(
    (given) => !omittedNames.some((name) => Object.hasOwn(Object(given), name)),
    `must not have the names ${omittedNames.join(', ')}`,
  ),
  v.record(v.string(), v.string('must be an object with string values'), tagsRule),
  v.maxEntries(50, 'must have at most 50 names'),
  v.check(
    (given) => Object.entries(given).every(([name, value]) => tagName.test(name) && tagValue.test(value)),
    'must have names of 1 to 128 characters and values of 1 to 256 characters. They can contain letters, digits, spaces and _ . : / = + - @. A name must not begin with "aws:"',
  ),
  v.check(
    (given) =>
      new Set(Object.keys(given).map((name) => name.toLowerCase())).size === Object.keys(given).length,
    'must not have names that differ only in case, because IAM ignores the case',
  ),
);
const tagName = /^(?!aws:)[\p{L}\p{N} _.:/=+@-]{1,128}$/iu;
const tagValue = /^[\p{L}\p{N} _.:/=+@-]{1,256}$/u;

function isDomain(name: string): boolean {
  const label = '[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?';
  return new RegExp(`^(${label}\\.)+${label}$`).test(name);
}

function isAddressAtDomain(identity: string): boolean {
  return isEmailAddress(identity) && isDomain(identity.slice(identity.indexOf('@') + 1));
}

/**
 * The origin as browsers send it; undefined if the URL is invalid or contains a single quote, which would end the value
 * early in API Gateway's mappings.
 */
function originOf(url: string): string | undefined {
  return URL.canParse(url) && !url.includes("'") ? new URL(url).origin : undefined;
}

/** An empty string is also valid. */
const arnOr = (service: string, resource: string, pattern: RegExp) =>
  v.pipe(
    v.string('must be a string'),
    v.check(
      (arn) =>
        arn === '' || (new RegExp(`^arn:[\\w-]+:${service}:[\\w-]+:\\d{12}:`).test(arn) && pattern.test(arn)),
      `must be an ARN such as arn:aws:${service}:us-east-1:123456789012:${resource}, or empty`,
    ),
  );

/**
 * Policies for Regional REST APIs without TLS 1.0 and 1.1.
 *
 * @see {@link https://docs.aws.amazon.com/apigateway/latest/developerguide/apigateway-security-policies-list.html}
 */
const tlsPolicies = [
  'SecurityPolicy_TLS13_1_2_2021_06',
  'SecurityPolicy_TLS13_1_2_PFS_PQ_2025_09',
  'SecurityPolicy_TLS13_1_3_2025_09',
] as const;

/** Part of the names of a stage's resources. */
export const stageName = /^[a-z][a-z0-9]{0,15}$/;

/** Those of the parts that every stack has. */
export const coreFields = {
  stage: described(
    'The name of the deployment. An account can have several deployments with different names.',
    v.pipe(
      v.string('must be a string'),
      v.regex(stageName, 'must be 1 to 16 lowercase letters and digits, beginning with a letter'),
    ),
  ),
  mailSender: described(
    'The address from which the service sends email. SES must have verified the address or its domain.',
    v.pipe(
      v.string('must be a string'),
      v.regex(emailAddress, 'must be an email address'),
      v.check(
        (address) => address.indexOf('@') <= maxLocalPartLength,
        `must have at most ${maxLocalPartLength} characters before the @`,
      ),
    ),
  ),
  mailIdentity: described(
    'The address or domain that the stack asks SES to verify. Leave it empty if SES has already verified the sender.',
    v.pipe(
      v.string('must be a string'),
      v.check(
        (identity) => identity === '' || isDomain(identity) || isAddressAtDomain(identity),
        'must be an email address or a domain, or empty',
      ),
    ),
  ),
  baseUrl: described(
    'The base URL of the service. Empty: the URL of domainName or, if that is also empty, the URL that API Gateway assigns.',
    v.pipe(
      v.string('must be a string'),
      v.regex(/^(https:\/\/[^?#\s]+[^/?#\s])?$/, 'must be an https URL without a trailing slash, or empty'),
    ),
  ),
  domainName: described(
    'The domain name of the API. It requires an ACM certificate in the same region. Empty: the domain name of API Gateway.',
    v.pipe(
      v.string('must be a string'),
      v.check(
        (name) => name === '' || isDomain(name),
        'must be a domain name in lowercase letters, or empty',
      ),
    ),
  ),
  certificateArn: described(
    'The ARN of the ACM certificate for domainName. Empty if domainName is empty.',
    arnOr('acm', 'certificate/<id>', /:\d{12}:certificate\/[0-9a-f-]{36}$/),
  ),
  tlsPolicy: described(
    "The API's TLS versions and ciphers, as the name of an API Gateway security policy. Empty: API Gateway's default.",
    v.picklist(['', ...tlsPolicies], `must be one of ${tlsPolicies.join(', ')}, or empty`),
  ),
  corsOrigin: described(
    'The origin whose pages may call the API from a browser, or * for all origins. Empty: none.',
    v.pipe(
      v.string('must be a string'),
      v.check(
        (origin) => ['', '*', originOf(origin)].includes(origin),
        'must be an origin such as https://app.example, or *, or empty',
      ),
    ),
  ),
  credentials: described(
    'The names of the credentials that the service refreshes in Secrets Manager.',
    names,
  ),
  encryptionKeyArn: described(
    'The ARN of the KMS key for tables, secrets, queues and logs. Empty: the default encryption of each AWS service.',
    arnOr('kms', 'key/<id>', /:\d{12}:key\/(mrk-[0-9a-f]{32}|[0-9a-f-]{36})$/),
  ),
  deletionProtection: described(
    'Protects the stack and its tables from deletion. Tables, secrets and schedules remain even if the stack is deleted.',
    truth,
  ),
  authorizerCacheSeconds: described(
    "How long API Gateway caches the authorizer's result. A revoked password can still work for that long. 0: no cache.",
    wholeNumber(0, 3600),
  ),
  authorizerReservedConcurrency: described(
    "The concurrency that Lambda reserves for the authorizer. It is also the authorizer's limit. 0: no reservation.",
    wholeNumber(0, 10_000),
  ),
  authorizerProvisionedConcurrency: described(
    'The number of environments that Lambda always keeps initialized for the authorizer. Each one costs money. 0: none.',
    wholeNumber(0, 10_000),
  ),
  purgeConcurrency: described(
    'The maximum number of deleted dogs that the service purges at once, for each shard of the DynamoDB stream.',
    wholeNumber(1, 10),
  ),
  cancellationWindowSeconds: described(
    'How long the workflow waits before it performs an asynchronous bark, so that a client can cancel the bark.',
    wholeNumber(0, 3600),
  ),
  workflowType: described(
    'The type of workflow for asynchronous barks: EXPRESS, or STANDARD for a history and longer windows.',
    v.picklist(['EXPRESS', 'STANDARD'], 'must be EXPRESS or STANDARD'),
  ),
  logRetentionDays: described(
    'How many days CloudWatch keeps the logs.',
    v.pipe(
      wholeNumber(1, 3653),
      v.check((days) => retentions.includes(days), `must be one of ${retentions.join(', ')}`),
    ),
  ),
  architecture: described(
    'The instruction set of the functions: arm64 or x86_64.',
    v.picklist(['arm64', 'x86_64'], 'must be arm64 or x86_64'),
  ),
  memoryMegabytes: described('The memory of each function, in megabytes.', wholeNumber(512, 10_240)),
  requestsPerSecond: described(
    'The rate limit of each API method to which no other rate limit applies. Above it, API Gateway returns 429.',
    wholeNumber(1, 10_000),
  ),
  requestBurst: described(
    'The burst limit of each API method to which no other burst limit applies.',
    wholeNumber(1, 5_000),
  ),
  publicRequestsPerSecond: described(
    'The rate limit of each API method without authentication. The token endpoint has its own rate limit.',
    wholeNumber(1, 10_000),
  ),
  publicRequestBurst: described(
    'The burst limit of each API method without authentication. The token endpoint has its own burst limit.',
    wholeNumber(1, 5_000),
  ),
  tokenRequestsPerSecond: described(
    'The rate limit of each method of the token endpoint.',
    wholeNumber(1, 10_000),
  ),
  tokenRequestBurst: described(
    'The burst limit of each method of the token endpoint.',
    wholeNumber(1, 5_000),
  ),
  barksPerDog: described(
    'How many barks clients can request for one dog in each window. Above it, the service returns 429. 0: no limit.',
    wholeNumber(0, 1_000_000),
  ),
  barksPerUser: described(
    'How many barks one user can request in each window. Above it, the service returns 429. 0: no limit.',
    wholeNumber(0, 1_000_000),
  ),
  mailsPerDog: described(
    'How many emails a dog can send in each window. Above it, requests get 429 and scheduled mail is dropped. 0: no limit.',
    wholeNumber(0, 1_000_000),
  ),
  mailsPerUser: described(
    "How many emails one user's requests can send in each window. Above it, requests get 429. 0: no limit.",
    wholeNumber(0, 1_000_000),
  ),
  limitWindowMinutes: described(
    'The length of the windows for barksPerDog, barksPerUser, mailsPerDog and mailsPerUser.',
    wholeNumber(1, 1440),
  ),
  tracing: described('Traces requests through API Gateway and the functions with X-Ray.', truth),
  tracedPercentage: described(
    'The percentage of requests that X-Ray traces if tracing is true.',
    wholeNumber(1, 100),
  ),
  backgroundTracing: described(
    'Traces the workflow and the background functions, too: their first run in each second, and 5 % of the others.',
    truth,
  ),
  accessLogs: described(
    "Logs each request. This requires API Gateway's CloudWatch role, which belongs to the account, not to the stack.",
    truth,
  ),
  minimumRequestsPerHour: described(
    'The number of requests per hour below which an alarm fires. 0: no alarm.',
    wholeNumber(0, 1_000_000_000),
  ),
  alarmTopicArn: described(
    'The ARN of the SNS topic that alarms notify. Empty: the alarms are visible only in CloudWatch.',
    arnOr('sns', '<topic>', /:\d{12}:[\w-]+$/),
  ),
  tags: described(
    'Tags for the stack and its resources. On the command line: team=dogs,cost-center=42.',
    tags,
  ),
  expressDeployments: described(
    "Deploys in CloudFormation's express mode, which does not wait until the resources are ready. For tests only.",
    truth,
  ),
};

import * as v from 'valibot';
import { extensionDefaults, extensionFields, extensionRules } from './extensions.ts'; // @extension budget|canary|events|firewall|waiting
import { coreFields } from './setting-fields.ts';

/**
 * Step Functions ends an Express execution after five minutes, which must be enough for the window, all attempts and
 * the delays between them.
 */
const maximumExpressWindowSeconds = 30;

/** During an update, provisioned concurrency is allocated to the new version before it is removed from the old one. */
const versionsDuringUpdate = 2;

export const Fields = v.object({
  ...coreFields,
  ...extensionFields, // @extension budget|canary|events|firewall|waiting
});

/** The settings, with the rules that concern more than one of them. */
export const Settings = v.pipe(
  Fields,
  v.forward(
    v.check(
      ({ domainName, certificateArn }) => (domainName === '') === (certificateArn === ''),
      'must be set if, and only if, domainName is set',
    ),
    ['certificateArn'],
  ),
  v.forward(
    v.check(
      ({ cancellationWindowSeconds, workflowType }) =>
        workflowType === 'STANDARD' || cancellationWindowSeconds <= maximumExpressWindowSeconds,
      `must be at most ${maximumExpressWindowSeconds} if workflowType is EXPRESS`,
    ),
    ['cancellationWindowSeconds'],
  ),
  v.forward(
    v.check(
      ({ authorizerProvisionedConcurrency: provisioned, authorizerReservedConcurrency: reserved }) =>
        reserved === 0 || versionsDuringUpdate * provisioned <= reserved,
      'must be at most half of authorizerReservedConcurrency, because an update keeps two versions initialized',
    ),
    ['authorizerProvisionedConcurrency'],
  ),
  v.forward(
    v.check(
      ({ mailIdentity, mailSender }) => mailIdentity === '' || isOf(mailSender, mailIdentity),
      'must be mailSender, its domain or a parent domain',
    ),
    ['mailIdentity'],
  ),
  v.forward(
    v.check(
      ({ expressDeployments, deletionProtection }) => !expressDeployments || !deletionProtection,
      'must be false if deletionProtection is true',
    ),
    ['expressDeployments'],
  ),
  // @extension budget|canary|events|firewall|waiting {
  v.rawCheck(({ dataset, addIssue }) => {
    if (!dataset.typed) return;
    for (const { field, message, holds } of extensionRules)
      if (!holds(dataset.value as never)) {
        const { value: input } = dataset;
        const value = input[field as keyof typeof input];
        addIssue({ message, input, path: [{ type: 'object', origin: 'value', input, key: field, value }] });
      }
  }),
  // @extension budget|canary|events|firewall|waiting }
);

export type Settings = v.InferOutput<typeof Settings>;

export function settingDescriptions(): Readonly<Record<keyof Settings, string>> {
  const described = Object.entries(Fields.entries).map(([name, schema]) => [name, v.getDescription(schema)]);
  return Object.fromEntries(described) as Record<keyof Settings, string>;
}

/** The identity can be the address, its domain or a parent domain. */
function isOf(address: string, identity: string): boolean {
  const [, domain = ''] = address.split('@');
  return address === identity || `.${domain.toLowerCase()}`.endsWith(`.${identity}`);
}

/** Enough to synthesize the template, but SES refuses to send mail from this address. */
export const exampleSender = 'dogs@example.com';

export const defaultSettings: Settings = {
  stage: 'prod',
  mailSender: exampleSender,
  mailIdentity: '',
  baseUrl: '',
  domainName: '',
  certificateArn: '',
  tlsPolicy: '',
  corsOrigin: '',
  credentials: ['dogs'],
  encryptionKeyArn: '',
  deletionProtection: true,
  authorizerCacheSeconds: 60,
  authorizerReservedConcurrency: 0,
  authorizerProvisionedConcurrency: 0,
  purgeConcurrency: 2,
  cancellationWindowSeconds: 5,
  workflowType: 'EXPRESS',
  logRetentionDays: 30,
  architecture: 'arm64',
  memoryMegabytes: 512,
  requestsPerSecond: 100,
  requestBurst: 200,
  publicRequestsPerSecond: 20,
  publicRequestBurst: 40,
  tokenRequestsPerSecond: 10,
  tokenRequestBurst: 20,
  barksPerDog: 0,
  barksPerUser: 0,
  mailsPerDog: 60,
  mailsPerUser: 600,
  limitWindowMinutes: 60,
  tracing: true,
  tracedPercentage: 5,
  backgroundTracing: false,
  accessLogs: false,
  minimumRequestsPerHour: 0,
  alarmTopicArn: '',
  tags: {},
  expressDeployments: false,
  ...extensionDefaults, // @extension budget|canary|events|firewall|waiting
};

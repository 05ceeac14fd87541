import type { Settings } from '../../lib/settings.ts';
import { aliasSettings, otherExtensionSettings } from './extensions.ts';

/**
 * Settings that differ from their defaults, so that the stack contains all its optional resources. Only `expressDeployments` is the
 * default, because it excludes other settings.
 */
export const otherSettings: Settings = {
  stage: 'other',
  mailSender: 'sender@example.org',
  mailIdentity: 'example.org',
  baseUrl: 'https://dogs.example.org/v',
  domainName: 'dogs.example.org',
  certificateArn: 'arn:aws:acm:eu-central-1:123456789012:certificate/6a3b2c1d-0000-4000-8000-000000000000',
  tlsPolicy: 'SecurityPolicy_TLS13_1_2_PFS_PQ_2025_09',
  corsOrigin: 'https://app.example.org',
  credentials: ['own', 'google'],
  encryptionKeyArn: 'arn:aws:kms:eu-central-1:123456789012:key/6a3b2c1d-0000-4000-8000-000000000000',
  deletionProtection: false,
  authorizerCacheSeconds: 0,
  authorizerReservedConcurrency: 4,
  authorizerProvisionedConcurrency: 2,
  purgeConcurrency: 1,
  cancellationWindowSeconds: 3,
  workflowType: 'STANDARD',
  logRetentionDays: 7,
  architecture: 'x86_64',
  memoryMegabytes: 1024,
  requestsPerSecond: 11,
  requestBurst: 22,
  publicRequestsPerSecond: 5,
  publicRequestBurst: 6,
  tokenRequestsPerSecond: 3,
  tokenRequestBurst: 4,
  barksPerDog: 50,
  barksPerUser: 500,
  mailsPerDog: 5,
  mailsPerUser: 100,
  limitWindowMinutes: 30,
  tracing: false,
  tracedPercentage: 7,
  backgroundTracing: true,
  accessLogs: true,
  minimumRequestsPerHour: 7,
  alarmTopicArn: 'arn:aws:sns:eu-central-1:123456789012:alarms',
  tags: { team: 'dogs' },
  expressDeployments: false,
  ...otherExtensionSettings,
} as Settings;

/** Settings with which the stack has all its resources, the longest names, and every kind of protection. */
export const largestSettings: Settings = {
  ...otherSettings,
  stage: 'abcdefghijklmnop',
  credentials: Array.from({ length: 10 }, (_, i) => `credentialWithTheLongestName${i}000`),
  mailIdentity: otherSettings.mailSender,
  baseUrl: '',
  deletionProtection: true,
  tracing: true,
};

/** The settings that give each function an alias, if an extension has any, and the longest window of an Express workflow. */
export const aliasedSettings: Partial<Settings> = { ...aliasSettings, cancellationWindowSeconds: 30 };

/**
 * The longest window of a Standard workflow, provisioned concurrency without other aliases, and no limits. These settings
 * affect different resources, so one stack has them all.
 */
export const unlimitedSettings: Partial<Settings> = {
  workflowType: 'STANDARD',
  cancellationWindowSeconds: 3600,
  authorizerProvisionedConcurrency: 2,
  mailsPerDog: 0,
  mailsPerUser: 0,
};

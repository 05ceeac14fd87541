import type { Settings } from '../../lib/settings.ts';

/** Settings of which each is another than by default, so that nothing in the stack is left out. */
export const otherSettings: Settings = {
  stage: 'other',
  mailSender: 'sender@example.org',
  mailIdentity: 'example.org',
  baseUrl: 'https://dogs.example.org/v',
  domainName: 'dogs.example.org',
  certificateArn: 'arn:aws:acm:eu-central-1:123456789012:certificate/6a3b2c1d-0000-4000-8000-000000000000',
  corsOrigin: 'https://app.example.org',
  credentials: ['own', 'google'],
  encryptionKeyArn: 'arn:aws:kms:eu-central-1:123456789012:key/6a3b2c1d-0000-4000-8000-000000000000',
  deletionProtection: false,
  authorizerCacheSeconds: 0,
  cancellationWindowSeconds: 3,
  logRetentionDays: 7,
  architecture: 'x86_64',
  memoryMegabytes: 1024,
  requestsPerSecond: 11,
  requestBurst: 22,
  firewallRequestsPerAddress: 1000,
  tracing: false,
  accessLogs: true,
  alarmTopicArn: 'arn:aws:sns:eu-central-1:123456789012:alarms',
  monthlyBudgetDollars: 20,
  tags: { team: 'dogs' },
};

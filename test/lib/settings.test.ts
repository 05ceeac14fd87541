import { RootConstruct } from 'constructs';
import { defaultSettings, readSettings, type Settings, SettingsError } from '../../lib/settings.ts';

const typed: Settings = {
  stage: 'test',
  mailSender: 'sender@example.org',
  mailIdentity: 'example.org',
  baseUrl: 'https://dogs.example.org',
  domainName: 'dogs.example.org',
  certificateArn: 'arn:aws:acm:eu-central-1:123456789012:certificate/6a3b2c1d-0000-4000-8000-000000000000',
  corsOrigin: 'https://app.example.org',
  credentials: ['dogs', 'google2'],
  encryptionKeyArn: 'arn:aws:kms:eu-central-1:123456789012:key/6a3b2c1d-0000-4000-8000-000000000000',
  deletionProtection: false,
  authorizerCacheSeconds: 0,
  authorizerReservedConcurrency: 3,
  purgeConcurrency: 1,
  cancellationWindowSeconds: 7,
  logRetentionDays: 7,
  architecture: 'x86_64',
  memoryMegabytes: 1024,
  requestsPerSecond: 50,
  requestBurst: 60,
  publicRequestsPerSecond: 5,
  publicRequestBurst: 6,
  tokenRequestsPerSecond: 3,
  tokenRequestBurst: 4,
  firewallRequestsPerAddress: 1000,
  tracing: false,
  accessLogs: true,
  minimumRequestsPerHour: 7,
  alarmTopicArn: 'arn:aws:sns:eu-central-1:123456789012:alarms',
  monthlyBudgetDollars: 20,
  releases: 'canary',
  tags: { team: 'dogs', 'cost center': '42/b' },
};

function read(values: Record<string, unknown>): Settings {
  const { node } = new RootConstruct();
  for (const [name, value] of Object.entries(values)) node.setContext(name, value);
  return readSettings(node);
}

function refusalOf(values: Record<string, unknown>): string {
  try {
    read(values);
  } catch (error) {
    expect(error).toBeInstanceOf(SettingsError);
    return (error as Error).message;
  }
  throw new Error('The settings are valid.');
}

test('a setting without a value has its default, and the template can be synthesized with the defaults', () => {
  expect(read({})).toEqual(defaultSettings);
  expect(read({ stage: 'test' })).toEqual({ ...defaultSettings, stage: 'test' });
});

test('a string from the command line has the same meaning as a typed value', () => {
  const text = Object.fromEntries(Object.entries(typed).map(([name, value]) => [name, String(value)]));
  expect(read({ ...text, tags: 'team=dogs,cost center=42/b' })).toEqual(typed);
  expect(read(typed)).toEqual(typed);
});

test('the values that the CDK itself adds to the context are ignored', () => {
  const own = { 'aws:cdk:enable-path-metadata': true, '@aws-cdk/core:flag': true, 'cli-telemetry': false };
  expect(read({ ...typed, ...own })).toEqual(typed);
});

test('a name that is not a setting, such as a misspelt one, is refused', () => {
  expect(refusalOf({ ...typed, deletionProtecton: false })).toContain(
    '\n  Unknown setting "deletionProtecton". Did you mean "deletionProtection"?',
  );
});

test.each(['mail-sender', 'log-retention-days', 'Stage'])('the name %s is refused', (name) => {
  expect(refusalOf({ ...typed, [name]: 'x' })).toContain(`\n  Unknown setting "${name}".`);
});

test.each<[keyof Settings, unknown, unknown]>([
  ['stage', 'a', 'a'],
  ['stage', 'prod2', 'prod2'],
  ['stage', 'abcdefghijklmnop', 'abcdefghijklmnop'],
  ['mailSender', 'dog.service+bark@mail.example.org', 'dog.service+bark@mail.example.org'],
  ['baseUrl', '', ''],
  ['baseUrl', 'https://dogs.example.org/v2', 'https://dogs.example.org/v2'],
  ['credentials', [], []],
  ['credentials', '', []],
  ['credentials', 'dogs', ['dogs']],
  ['deletionProtection', true, true],
  ['deletionProtection', false, false],
  ['deletionProtection', 'true', true],
  ['deletionProtection', 'false', false],
  ['authorizerCacheSeconds', 0, 0],
  ['authorizerCacheSeconds', '0', 0],
  ['authorizerCacheSeconds', 3600, 3600],
  ['authorizerCacheSeconds', '3600', 3600],
  ['logRetentionDays', 1, 1],
  ['logRetentionDays', '3653', 3653],
  ['architecture', 'arm64', 'arm64'],
  ['architecture', 'x86_64', 'x86_64'],
  ['memoryMegabytes', 512, 512],
  ['memoryMegabytes', '10240', 10_240],
  ['requestsPerSecond', 1, 1],
  ['requestsPerSecond', '10000', 10_000],
  ['requestBurst', 1, 1],
  ['requestBurst', '5000', 5_000],
  ['publicRequestsPerSecond', '1', 1],
  ['publicRequestBurst', 5_000, 5_000],
  ['tokenRequestsPerSecond', 10_000, 10_000],
  ['tokenRequestBurst', '1', 1],
  ['minimumRequestsPerHour', 0, 0],
  ['minimumRequestsPerHour', '1000', 1000],
  ['authorizerReservedConcurrency', '0', 0],
  ['authorizerReservedConcurrency', 10_000, 10_000],
  ['purgeConcurrency', '1', 1],
  ['purgeConcurrency', 10, 10],
  ['mailIdentity', '', ''],
  ['mailIdentity', 'sender@example.org', 'sender@example.org'],
  ['corsOrigin', '', ''],
  ['corsOrigin', '*', '*'],
  ['corsOrigin', 'http://localhost:5173', 'http://localhost:5173'],
  ['encryptionKeyArn', '', ''],
  ['firewallRequestsPerAddress', 0, 0],
  ['firewallRequestsPerAddress', '10', 10],
  ['monthlyBudgetDollars', '0', 0],
  ['domainName', 'dogs.xn--e1afmkfd.xn--p1ai', 'dogs.xn--e1afmkfd.xn--p1ai'],
  ['tags', 'team=dogs, cost=42', { team: 'dogs', cost: '42' }],
  ['tags', '', {}],
  ['tags', 'sum=1+1=2', { sum: '1+1=2' }],
])('the setting %s accepts %j', (name, value, meaning) => {
  expect(read({ ...typed, [name]: value })).toEqual({ ...typed, [name]: meaning });
});

test.each<[keyof Settings, unknown, string]>([
  ['stage', '', 'must be 1 to 16 lowercase letters and digits, beginning with a letter. Its value is "".'],
  ['stage', 'Prod', 'must be 1 to 16 lowercase letters'],
  ['stage', '1st', 'must be 1 to 16 lowercase letters'],
  ['stage', 'my-stage', 'must be 1 to 16 lowercase letters'],
  ['stage', 'abcdefghijklmnopq', 'must be 1 to 16 lowercase letters'],
  ['stage', 'prod\n', 'must be 1 to 16 lowercase letters'],
  ['stage', 7, 'must be a string. Its value is 7.'],
  ['mailSender', '', 'must be an email address. Its value is "".'],
  ['releases', 'linear', 'must be allAtOnce or canary. Its value is "linear".'],
  ['releases', '', 'must be allAtOnce or canary'],
  ['releases', true, 'must be allAtOnce or canary'],
  ['mailSender', 'dogs', 'must be an email address. Its value is "dogs".'],
  ['mailSender', 'Dogs <dogs@example.com>', 'must be an email address'],
  ['mailSender', 'a@example.com,b@example.com', 'must be an email address'],
  ['baseUrl', 'http://dogs.example.org', 'must be an https URL without a trailing slash, or empty'],
  ['baseUrl', 'https://dogs.example.org/', 'must be an https URL without a trailing slash, or empty'],
  ['credentials', 7, 'must be a list of names'],
  ['credentials', ['my-dogs'], 'must be names of 1 to 32 letters and digits'],
  ['credentials', 'dogs,dogs', 'must not repeat a name'],
  ['deletionProtection', 'yes', 'must be true or false. Its value is "yes".'],
  ['deletionProtection', 'TRUE', 'must be true or false'],
  ['deletionProtection', '', 'must be true or false'],
  ['deletionProtection', 1, 'must be true or false. Its value is 1.'],
  ['authorizerCacheSeconds', 'a minute', 'must be a number. Its value is "a minute".'],
  ['authorizerCacheSeconds', '60s', 'must be a number'],
  ['authorizerCacheSeconds', null, 'must be a number'],
  ['authorizerCacheSeconds', true, 'must be a number'],
  ['authorizerCacheSeconds', -1, 'must be at least 0. Its value is -1.'],
  ['authorizerCacheSeconds', '-1', 'must be at least 0. Its value is "-1".'],
  ['authorizerCacheSeconds', 3601, 'must be at most 3600'],
  ['authorizerCacheSeconds', 0.5, 'must be a whole number. Its value is 0.5.'],
  ['authorizerCacheSeconds', 'Infinity', 'must be a number'],
  ['logRetentionDays', 0, 'must be at least 1'],
  ['logRetentionDays', 2, 'must be one of 1, 3, 5, 7,'],
  ['logRetentionDays', '31', 'must be one of 1, 3, 5, 7,'],
  ['logRetentionDays', 3654, 'must be at most 3653'],
  ['architecture', 'x86', 'must be arm64 or x86_64'],
  ['architecture', 'ARM64', 'must be arm64 or x86_64'],
  ['memoryMegabytes', 511, 'must be at least 512'],
  ['memoryMegabytes', '10241', 'must be at most 10240'],
  ['memoryMegabytes', '1GB', 'must be a number'],
  ['requestsPerSecond', 0, 'must be at least 1'],
  ['cancellationWindowSeconds', -1, 'must be at least 0'],
  ['cancellationWindowSeconds', '3601', 'must be at most 3600'],
  ['requestsPerSecond', 10_001, 'must be at most 10000'],
  ['requestsPerSecond', '1.5', 'must be a whole number'],
  ['requestBurst', '0', 'must be at least 1'],
  ['requestBurst', 5_001, 'must be at most 5000'],
  ['publicRequestsPerSecond', 0, 'must be at least 1'],
  ['publicRequestBurst', 5_001, 'must be at most 5000'],
  ['tokenRequestsPerSecond', 10_001, 'must be at most 10000'],
  ['tokenRequestBurst', '0.5', 'must be a whole number'],
  ['minimumRequestsPerHour', -1, 'must be at least 0'],
  ['minimumRequestsPerHour', '', 'must be a number'],
  ['authorizerReservedConcurrency', -1, 'must be at least 0'],
  ['authorizerReservedConcurrency', 10_001, 'must be at most 10000'],
  ['purgeConcurrency', 0, 'must be at least 1'],
  ['purgeConcurrency', '11', 'must be at most 10'],
  ['mailIdentity', 'nowhere', 'must be an email address or a domain, or empty'],
  [
    'mailIdentity',
    'example.com',
    'must be mailSender, its domain or a parent domain. Its value is "example.com".',
  ],
  ['mailIdentity', 'other@example.org', 'must be mailSender, its domain or a parent domain'],
  ['mailIdentity', 'ample.org', 'must be mailSender, its domain or a parent domain'],
  ['domainName', 'https://dogs.example.org', 'must be a domain name in lowercase letters, or empty'],
  ['certificateArn', '', 'must be set if, and only if, domainName is set'],
  [
    'certificateArn',
    'arn:aws:iam::1:certificate/6a3b2c1d-0000-4000-8000-000000000000',
    'must be an ARN such as arn:aws:acm:us-east-1:123456789012:certificate/<id>, or empty',
  ],
  ['corsOrigin', 'https://app.example.org/', 'must be an origin such as https://app.example'],
  ['corsOrigin', "https://app.example.org'", 'must be an origin such as https://app.example'],
  ['corsOrigin', 'https://App.example.org', 'must be an origin'],
  ['corsOrigin', 'https://app.example.org:443', 'must be an origin'],
  ['corsOrigin', 'https://me@app.example.org', 'must be an origin'],
  ['corsOrigin', 'https://a.example.org,https://b.example.org', 'must be an origin'],
  ['domainName', '-dogs.example.org', 'must be a domain name'],
  ['mailIdentity', 'Sender@example.org', 'must be mailSender, its domain or a parent domain'],
  [
    'alarmTopicArn',
    'arn:aws:sns:eu-central-1:123456789012:alarms:6a3b2c1d-0000-4000-8000-000000000000',
    'must be an ARN such as arn:aws:sns:',
  ],
  ['encryptionKeyArn', 'alias/dogs', 'must be an ARN such as arn:aws:kms:'],
  ['firewallRequestsPerAddress', 9, 'must be 0 or at least 10'],
  ['accessLogs', 'on', 'must be true or false'],
  ['alarmTopicArn', 'alarms', 'must be an ARN such as arn:aws:sns:'],
  ['alarmTopicArn', '', 'must be set if monthlyBudgetDollars is not 0'],
  ['monthlyBudgetDollars', -1, 'must be at least 0'],
  ['tags', 'aws:own=1', 'must have names of 1 to 128 characters'],
  ['tags', '=1', 'must be name=value pairs, separated by commas'],
  ['tags', 'team', 'must be name=value pairs, separated by commas'],
  ['tags', 'team=', 'must be name=value pairs, separated by commas'],
  ['tags', { team: 7 }, 'must be name=value pairs, separated by commas, or an object'],
  ['tags', { team: 'dogs;' }, 'must have names of 1 to 128 characters'],
])('the setting %s refuses %j', (name, value, fault) => {
  const refusal = refusalOf({ ...typed, [name]: value });
  expect(refusal).toContain(`  ${name} ${fault}`);
});

test('an empty value from the command line is not 0', () => {
  expect(refusalOf({ ...typed, authorizerCacheSeconds: '' })).toContain(
    'authorizerCacheSeconds must be a number',
  );
});

test('the error lists exactly the invalid settings, and states where to correct them', () => {
  const refusal = refusalOf({ ...typed, stage: 'X', memoryMegabytes: 1, requestBurst: 'many' });
  const [how, ...faults] = refusal.split('\n');
  expect(how).toMatch(/cdk\.json.*-c name=value/);
  expect(faults.map((fault) => fault.trim().split(' ')[0])).toEqual([
    'stage',
    'memoryMegabytes',
    'requestBurst',
  ]);
});

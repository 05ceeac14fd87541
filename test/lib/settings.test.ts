import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { RootConstruct } from 'constructs';
import { defaultSettings, readSettings, type Settings, SettingsError } from '../../lib/settings.ts';
import { otherSettings } from '../support/other-settings.ts';
import { withRemedy } from '../support/remedy.ts';

const typed: Settings = {
  ...otherSettings,
  authorizerReservedConcurrency: 10_000,
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

test('docs/deploying.md has a row for each setting, in the order of the defaults', () => {
  const page = readFileSync(join(import.meta.dirname, '../../docs/deploying.md'), 'utf8');
  const [, table = ''] = /^\| Setting .*\n\|.*\n((?:\|.*\n)+)/m.exec(page) ?? [];
  const rows = [...table.matchAll(/^\| `(\w+)`/gm)].map(([, name]) => name);
  withRemedy('Change the table under "Settings" in docs/deploying.md.', () => {
    expect(rows).toEqual(Object.keys(defaultSettings));
  });
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

test.each([
  ['deletionProtecton', ' Did you mean "deletionProtection"?'],
  ['mail-sender', ''],
  ['log-retention-days', ''],
  ['Stage', ''],
])('the name %s is refused', (name, suggestion) => {
  expect(refusalOf({ ...typed, [name]: 'x' })).toContain(`\n  Unknown setting "${name}".${suggestion}`);
});

test('the provisioned concurrency of the authorizer must not exceed its reserved concurrency', () => {
  const refusal = refusalOf({ ...typed, authorizerReservedConcurrency: 1 });
  expect(refusal).toContain('authorizerProvisionedConcurrency must not exceed authorizerReservedConcurrency');
});

test.each<[keyof Settings, number, number]>([
  ['authorizerCacheSeconds', 0, 3_600],
  ['authorizerReservedConcurrency', 0, 10_000],
  ['authorizerProvisionedConcurrency', 0, 10_000],
  ['purgeConcurrency', 1, 10],
  ['cancellationWindowSeconds', 0, 3_600],
  ['logRetentionDays', 1, 3_653],
  ['memoryMegabytes', 512, 10_240],
  ['requestsPerSecond', 1, 10_000],
  ['requestBurst', 1, 5_000],
  ['publicRequestsPerSecond', 1, 10_000],
  ['publicRequestBurst', 1, 5_000],
  ['tokenRequestsPerSecond', 1, 10_000],
  ['tokenRequestBurst', 1, 5_000],
  ['firewallRequestsPerAddress', 0, 2_000_000_000],
  ['minimumRequestsPerHour', 0, 1_000_000_000],
  ['monthlyBudgetDollars', 0, 1_000_000],
])('the setting %s is a whole number from %i to %i', (name, least, most) => {
  for (const valid of [least, most, `${least}`, `${most}`])
    expect(read({ ...typed, [name]: valid })).toEqual({ ...typed, [name]: Number(valid) });
  const refused = (value: unknown) => refusalOf({ ...typed, [name]: value });
  for (const value of ['', 'many', `${most}s`, 'Infinity', null, true])
    expect(refused(value)).toContain(`  ${name} must be a number. Its value is ${JSON.stringify(value)}.`);
  for (const value of [least + 0.5, `${least + 0.5}`])
    expect(refused(value)).toContain(
      `  ${name} must be a whole number. Its value is ${JSON.stringify(value)}.`,
    );
  expect(refused(least - 1)).toContain(`  ${name} must be at least ${least}. Its value is ${least - 1}.`);
  expect(refused(`${most + 1}`)).toContain(`  ${name} must be at most ${most}. Its value is "${most + 1}".`);
});

test.each<[keyof Settings, unknown[]]>([
  ['stage', ['a', 'prod2', 'abcdefghijklmnop']],
  ['mailSender', ['dog.service+bark@mail.example.org']],
  ['mailIdentity', ['', 'sender@example.org']],
  ['baseUrl', ['', 'https://dogs.example.org/v2']],
  ['domainName', ['dogs.xn--e1afmkfd.xn--p1ai']],
  ['corsOrigin', ['', '*', 'http://localhost:5173']],
  ['credentials', [[], ['dogs']]],
  ['encryptionKeyArn', ['']],
  ['deletionProtection', [true, false]],
  ['workflowType', ['EXPRESS', 'STANDARD']],
  ['architecture', ['arm64', 'x86_64']],
  ['firewallRequestsPerAddress', [0, 10]],
  ['releases', ['allAtOnce', 'canary']],
])('the setting %s accepts %j', (name, values) => {
  for (const value of values) expect(read({ ...typed, [name]: value })).toEqual({ ...typed, [name]: value });
});

test.each<[keyof Settings, string, unknown]>([
  ['credentials', '', []],
  ['credentials', 'dogs', ['dogs']],
  ['deletionProtection', 'true', true],
  ['tags', 'team=dogs, cost=42', { team: 'dogs', cost: '42' }],
  ['tags', '', {}],
  ['tags', 'sum=1+1=2', { sum: '1+1=2' }],
])('the setting %s can be %j on the command line', (name, text, meaning) => {
  expect(read({ ...typed, [name]: text })).toEqual({ ...typed, [name]: meaning });
});

const id = '6a3b2c1d-0000-4000-8000-000000000000';
const arnOf = (service: string, resource: string) =>
  `must be an ARN such as arn:aws:${service}:us-east-1:123456789012:${resource}, or empty`;

test.each<[keyof Settings, unknown[], string]>([
  [
    'stage',
    ['', 'Prod', '1st', 'my-stage', 'prod\n'],
    'must be 1 to 16 lowercase letters and digits, beginning with a letter',
  ],
  ['stage', ['abcdefghijklmnopq'], 'must be 1 to 16 lowercase letters and digits, beginning with a letter'],
  ['stage', [7], 'must be a string'],
  ['mailSender', ['', 'dogs', 'Dogs <a@example.org>', 'a@b.example,c@d.example'], 'must be an email address'],
  ['mailIdentity', ['nowhere'], 'must be an email address or a domain, or empty'],
  ['mailIdentity', ['example.com', 'ample.org'], 'must be mailSender, its domain or a parent domain'],
  [
    'mailIdentity',
    ['other@example.org', 'Sender@example.org'],
    'must be mailSender, its domain or a parent domain',
  ],
  [
    'baseUrl',
    ['http://dogs.example.org', 'https://dogs.example.org/'],
    'must be an https URL without a trailing slash, or empty',
  ],
  [
    'domainName',
    ['https://a.example', '-a.example', 'A.example'],
    'must be a domain name in lowercase letters, or empty',
  ],
  ['certificateArn', [''], 'must be set if, and only if, domainName is set'],
  ['certificateArn', [`arn:aws:iam::1:certificate/${id}`], arnOf('acm', 'certificate/<id>')],
  [
    'corsOrigin',
    ['https://a.example/', "https://a.example'"],
    'must be an origin such as https://app.example, or *, or empty',
  ],
  [
    'corsOrigin',
    ['https://A.example', 'https://a.example:443', 'https://me@a.example'],
    'must be an origin such as https://app.example, or *, or empty',
  ],
  [
    'corsOrigin',
    ['https://a.example.org,https://b.example.org'],
    'must be an origin such as https://app.example, or *, or empty',
  ],
  ['credentials', [7], 'must be a list of names'],
  ['credentials', [['my-dogs']], 'must be names of 1 to 32 letters and digits, each beginning with a letter'],
  ['credentials', ['dogs,dogs'], 'must not repeat a name'],
  ['credentials', ['a,b,c,d,e,f,g,h,i,j,k'], 'must have at most 10 names'],
  ['encryptionKeyArn', ['alias/dogs'], arnOf('kms', 'key/<id>')],
  ['deletionProtection', ['yes', 'TRUE', '', 1], 'must be true or false'],
  ['accessLogs', ['on'], 'must be true or false'],
  [
    'logRetentionDays',
    [2, '31'],
    'must be one of 1, 3, 5, 7, 14, 30, 60, 90, 120, 150, 180, 365, 400, 545, 731, 1096, 1827, 2192, 2557, 2922, 3288, 3653',
  ],
  ['workflowType', ['express', ''], 'must be EXPRESS or STANDARD'],
  ['architecture', ['x86', 'ARM64'], 'must be arm64 or x86_64'],
  ['firewallRequestsPerAddress', [9], 'must be 0 or at least 10'],
  ['releases', ['linear', '', true], 'must be allAtOnce or canary'],
  ['alarmTopicArn', [`${typed.alarmTopicArn}:${id}`, 'alarms'], arnOf('sns', '<topic>')],
  ['alarmTopicArn', [''], 'must be set if monthlyBudgetDollars is not 0'],
  ['tags', ['=1', 'team', 'team='], 'must be name=value pairs, separated by commas'],
  [
    'tags',
    [7, { team: 7 }],
    'must be name=value pairs, separated by commas, or an object with string values',
  ],
  [
    'tags',
    ['aws:own=1', { team: 'dogs;' }],
    'must have names of 1 to 128 characters and values of 1 to 256 characters. They can contain letters, digits, spaces and _ . : / = + - @. A name must not begin with "aws:"',
  ],
])('the setting %s refuses %j: it %s', (name, values, rule) => {
  for (const value of values) {
    const refusal = refusalOf({ ...typed, [name]: value });
    expect(refusal).toContain(`\n  ${name} ${rule}. Its value is ${JSON.stringify(value)}.`);
  }
});

test('an Express workflow limits the cancellation window to 30 seconds', () => {
  const express = { ...typed, workflowType: 'EXPRESS' };
  expect(read({ ...express, cancellationWindowSeconds: 30 })).toMatchObject({
    cancellationWindowSeconds: 30,
  });
  expect(refusalOf({ ...express, cancellationWindowSeconds: 31 })).toContain(
    '\n  cancellationWindowSeconds must be at most 30 if workflowType is EXPRESS. Its value is 31.',
  );
});

test('the error lists exactly the invalid settings, and states where to correct them', () => {
  const refusal = refusalOf({ ...typed, stage: 'X', memoryMegabytes: 1, requestBurst: 'many' });
  const [how, ...faults] = refusal.split('\n');
  expect(how).toBe(
    'Some settings are invalid. Correct them in "context" in cdk.json, or with the option -c name=value.',
  );
  const names = faults.map((fault) => fault.trim().split(' ')[0]);
  expect(names).toEqual(['stage', 'memoryMegabytes', 'requestBurst']);
});

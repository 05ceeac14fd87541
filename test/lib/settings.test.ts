import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { RootConstruct } from 'constructs';
import { defaultSettings, type Settings } from '../../lib/settings.ts';
import { readStage, SettingsError, type Stage, settingsInContext } from '../../lib/stages.ts';
import { otherSettings } from '../support/other-settings.ts';

const typed: Settings = {
  ...otherSettings,
  authorizerReservedConcurrency: 10_000,
  tags: { team: 'dogs', 'cost center': '42/b' },
};

const folder = mkdtempSync(join(tmpdir(), 'stages-'));
afterAll(() => rmSync(folder, { recursive: true }));

const write = (stage: string, text: string) => writeFileSync(join(folder, `${stage}.json`), text);

/** Reads a stage whose file has the given settings. */
function readListed({ stage, ...values }: Record<string, unknown>): Stage {
  const name = String(stage);
  if (/^\w+$/.test(name)) write(name, JSON.stringify(values));
  return readStage(name, {}, folder);
}

const read = (values: Record<string, unknown>) => readListed({ stage: 'test', ...values }).settings;

/** Reads the stage `test`, whose file is empty, with settings of the command line. */
function readOptions(options: Record<string, unknown>): Settings {
  write('test', '{}');
  return readStage('test', options, folder).settings;
}

function messageOf(run: () => unknown): string {
  try {
    run();
  } catch (error) {
    expect(error).toBeInstanceOf(SettingsError);
    return (error as Error).message;
  }
  throw new Error('The settings are valid.');
}

const refusalOf = (values: Record<string, unknown>) => messageOf(() => read(values));

test('a setting that the file does not list has its default', () => {
  const { settings, listed } = readListed({
    $schema: './settings.schema.json',
    stage: 'test',
    accessLogs: true,
  });
  expect(settings).toEqual({ ...defaultSettings, stage: 'test', accessLogs: true });
  expect([...listed]).toEqual(['accessLogs']);
});

describe('the stages in the repository', () => {
  const stages = readdirSync(join(import.meta.dirname, '../../stages'))
    .filter((file) => !file.endsWith('.schema.json'))
    .map((file) => file.replace(/\.json$/, ''));

  test.each(stages)('%s has valid settings', (stage) => {
    expect(readStage(stage).settings.stage).toBe(stage);
  });

  test('are a test that can be deleted, and a protected production', () => {
    const protection = stages.map((stage) => [stage, readStage(stage).settings.deletionProtection]);
    expect(Object.fromEntries(protection)).toMatchObject({ prod: true, test: false });
  });
});

describe('a file', () => {
  test.each([
    ['[]', 'must contain a JSON object with settings.'],
    ['null', 'must contain a JSON object with settings.'],
    ['{"accessLogs": tru}', 'is not JSON: '],
    ['{"stage": "test"}', 'Delete "stage". The name of the file is the name of the stage.'],
  ])('with the content %s is refused', (text, rule) => {
    write('test', text);
    const refusal = messageOf(() => readStage('test', {}, folder));
    expect(refusal).toContain(rule);
    expect(refusal).toMatch(/^stages\/test\.json/);
  });

  test('that does not exist is refused, with a similar stage and all others', () => {
    for (const stage of ['prod', 'test']) write(stage, '{}');
    rmSync(join(folder, 'other.json'), { force: true });
    writeFileSync(join(folder, 'settings.schema.json'), '{}');
    expect(messageOf(() => readStage('tests', {}, folder))).toBe(
      'There is no stage "tests", because stages/tests.json does not exist. Did you mean "test"? The stages are: prod, test.',
    );
  });
});

describe('the context of the CDK', () => {
  function inContext(values: Record<string, unknown>): Settings {
    const { node } = new RootConstruct();
    for (const [name, value] of Object.entries(values)) node.setContext(name, value);
    return settingsInContext(node);
  }

  test('selects the stage, by default prod, and changes single settings of its file', () => {
    expect(inContext({})).toEqual(readStage('prod').settings);
    expect(inContext({ stage: 'test', memoryMegabytes: '1024' })).toEqual({
      ...readStage('test').settings,
      memoryMegabytes: 1024,
    });
  });

  test("can have the CDK's own values", () => {
    const own = { 'aws:cdk:enable-path-metadata': true, '@aws-cdk/core:flag': true, 'cli-telemetry': false };
    expect(inContext(own)).toEqual(inContext({}));
  });
});

describe('the command line', () => {
  test('refuses a stage whose name cannot be the name of a file', () => {
    expect(messageOf(() => readStage('../test'))).toContain(
      '\n  -c: stage must be 1 to 16 lowercase letters',
    );
  });

  const { stage: _, ...values } = typed;

  test('has texts that mean the same as the values of a file', () => {
    const texts = Object.fromEntries(Object.entries(values).map(([name, value]) => [name, String(value)]));
    expect(readOptions({ ...texts, tags: 'team=dogs,cost center=42/b' })).toEqual({
      ...typed,
      stage: 'test',
    });
    expect(readOptions(values)).toEqual({ ...typed, stage: 'test' });
  });

  test.each<[keyof Settings, string, unknown]>([
    ['credentials', '', []],
    ['credentials', 'dogs', ['dogs']],
    ['deletionProtection', 'true', true],
    ['tags', 'team=dogs, cost=42', { team: 'dogs', cost: '42' }],
    ['tags', '', {}],
    ['tags', 'sum=1+1=2', { sum: '1+1=2' }],
  ])('can have the setting %s with the text %j', (name, text, meaning) => {
    expect(readOptions({ [name]: text })).toEqual({ ...defaultSettings, stage: 'test', [name]: meaning });
  });

  test.each<[keyof Settings, string[], string]>([
    ['memoryMegabytes', ['', 'many', '512s', 'Infinity'], 'must be a number'],
    ['memoryMegabytes', ['512.5'], 'must be a whole number'],
    ['deletionProtection', ['yes', 'TRUE', ''], 'must be true or false'],
    ['credentials', ['dogs,dogs'], 'must not repeat a name'],
    [
      'tags',
      ['=1', 'team', 'team='],
      'must be an object with string values, or name=value pairs, separated by commas',
    ],
  ])('refuses the setting %s with %j: it %s', (name, texts, rule) => {
    for (const text of texts) {
      const refusal = messageOf(() => readOptions({ [name]: text }));
      expect(refusal).toContain(`\n  -c: ${name} ${rule}`);
      expect(refusal).toContain(`Its value is ${JSON.stringify(text)}.`);
    }
  });
});

test.each([
  ['deletionProtecton', ' Did you mean "deletionProtection"?'],
  ['mail-sender', ''],
  ['log-retention-days', ''],
  ['Stage', ''],
])('the name %s is refused', (name, suggestion) => {
  expect(refusalOf({ ...typed, [name]: 'x' })).toContain(
    `\n  stages/other.json: Unknown setting "${name}".${suggestion}`,
  );
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
  for (const valid of [least, most])
    expect(read({ ...typed, [name]: valid })).toEqual({ ...typed, [name]: valid });
  const refused = (value: unknown) => refusalOf({ ...typed, [name]: value });
  for (const value of [`${most}`, null, true])
    expect(refused(value)).toContain(`: ${name} must be a number. Its value is ${JSON.stringify(value)}.`);
  expect(refused(least + 0.5)).toContain(`: ${name} must be a whole number. Its value is ${least + 0.5}.`);
  expect(refused(least - 1)).toContain(`: ${name} must be at least ${least}. Its value is ${least - 1}.`);
  expect(refused(most + 1)).toContain(`: ${name} must be at most ${most}. Its value is ${most + 1}.`);
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
  ['tags', [{}, { 'cost center': '42/b' }]],
])('the setting %s accepts %j', (name, values) => {
  for (const value of values) {
    const settings = { ...typed, expressDeployments: false, [name]: value };
    expect(read(settings)).toEqual(settings);
  }
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
  ['credentials', [7, 'dogs', [7]], 'must be a list of names'],
  ['credentials', [['my-dogs']], 'must be names of 1 to 32 letters and digits, each beginning with a letter'],
  ['credentials', [['dogs', 'dogs']], 'must not repeat a name'],
  ['credentials', [[...'abcdefghijk']], 'must have at most 10 names'],
  ['encryptionKeyArn', ['alias/dogs'], arnOf('kms', 'key/<id>')],
  ['deletionProtection', ['true', 1], 'must be true or false'],
  ['accessLogs', ['on'], 'must be true or false'],
  [
    'logRetentionDays',
    [2, 31],
    'must be one of 1, 3, 5, 7, 14, 30, 60, 90, 120, 150, 180, 365, 400, 545, 731, 1096, 1827, 2192, 2557, 2922, 3288, 3653',
  ],
  ['workflowType', ['express', ''], 'must be EXPRESS or STANDARD'],
  ['architecture', ['x86', 'ARM64'], 'must be arm64 or x86_64'],
  ['firewallRequestsPerAddress', [9], 'must be 0 or at least 10'],
  ['releases', ['linear', '', true], 'must be allAtOnce or canary'],
  ['alarmTopicArn', [`${typed.alarmTopicArn}:${id}`, 'alarms'], arnOf('sns', '<topic>')],
  ['alarmTopicArn', [''], 'must be set if monthlyBudgetDollars is not 0'],
  [
    'tags',
    [7, 'team=dogs'],
    'must be an object with string values, or name=value pairs, separated by commas, on the command line',
  ],
  ['tags', [{ team: 7 }], 'must be an object with string values'],
  [
    'tags',
    [{ 'aws:own': '1' }, { team: 'dogs;' }],
    'must have names of 1 to 128 characters and values of 1 to 256 characters. They can contain letters, digits, spaces and _ . : / = + - @. A name must not begin with "aws:"',
  ],
])('the setting %s refuses %j: it %s', (name, values, rule) => {
  for (const value of values) {
    const refusal = refusalOf({ ...typed, [name]: value });
    expect(refusal).toContain(`: ${name} ${rule}. Its value is ${JSON.stringify(value)}.`);
  }
});

test('an Express workflow limits the cancellation window to 30 seconds', () => {
  const express = { ...typed, workflowType: 'EXPRESS' };
  expect(read({ ...express, cancellationWindowSeconds: 30 })).toMatchObject({
    cancellationWindowSeconds: 30,
  });
  expect(refusalOf({ ...express, cancellationWindowSeconds: 31 })).toContain(
    '\n  stages/other.json: cancellationWindowSeconds must be at most 30 if workflowType is EXPRESS. Its value is 31.',
  );
});

test('an express deployment is refused for a protected stage', () => {
  expect(refusalOf({ ...typed, deletionProtection: true })).toContain(
    '\n  stages/other.json: expressDeployments must be false if deletionProtection is true. Its value is true.',
  );
});

test('the error lists exactly the invalid settings, each with its file or the option', () => {
  write('other', '{"memoryMegabytes": 1, "requestBurst": 0, "memory": 1}');
  const refusal = messageOf(() => readStage('other', { requestBurst: 'many', Stage: 'x' }, folder));
  expect(refusal.split('\n')).toEqual([
    'Some settings are invalid. Correct them:',
    '  stages/other.json: memoryMegabytes must be at least 512. Its value is 1.',
    '  -c: requestBurst must be a number. Its value is "many".',
    expect.stringMatching(/^ {2}stages\/other\.json: Unknown setting "memory"\./),
    expect.stringMatching(/^ {2}-c: Unknown setting "Stage"\./),
  ]);
});

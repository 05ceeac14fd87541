import { globSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { RootConstruct } from 'constructs';
import { extensionDefaults } from '../../lib/extensions.ts'; // @extension budget|canary|events|firewall|waiting
import { defaultSettings, type Settings } from '../../lib/settings.ts';
import { readStage, SettingsError, type Stage, settingsInContext } from '../../lib/stages.ts';
import { extensions } from '../support/extensions.ts';
import { otherSettings } from '../support/other-settings.ts';

const typed: Settings = {
  ...otherSettings,
  authorizerReservedConcurrency: 10_000,
  tags: { team: 'dogs', 'cost center': '42/b' },
};

const folder = mkdtempSync(join(tmpdir(), 'stages-'));
afterAll(() => rmSync(folder, { recursive: true }));

const write = (stage: string, text: string) => writeFileSync(join(folder, `${stage}.json`), text);

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

/** Returns the lines of a refusal without its heading. */
const linesOf = (refusal: string) => refusal.split('\n').slice(1);

function linesFor(
  refused: Readonly<Record<string, readonly unknown[]>>,
  refusalWith: (values: Record<string, unknown>) => string,
): string[] {
  return Object.entries(refused).flatMap(([name, values]) =>
    values.flatMap((value) => linesOf(refusalWith({ [name]: value }))),
  );
}

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
  function inContext(values: Record<string, unknown>, from?: string): Settings[] {
    const { node } = new RootConstruct();
    for (const [name, value] of Object.entries(values)) node.setContext(name, value);
    return settingsInContext(node, from);
  }

  const settingsOf = (stage: string) => readStage(stage).settings;

  test('selects the stage, by default all, and changes single settings of its file', () => {
    expect(inContext({})).toEqual([settingsOf('prod'), settingsOf('test')]);
    expect(inContext({ stage: 'test' })).toEqual([settingsOf('test')]);
    const memoryMegabytes = 1024;
    expect(inContext({ memoryMegabytes: '1024' })).toEqual([
      { ...settingsOf('prod'), memoryMegabytes },
      { ...settingsOf('test'), memoryMegabytes },
    ]);
    expect(inContext({ stage: 'test', memoryMegabytes: '1024' })).toEqual([
      { ...settingsOf('test'), memoryMegabytes },
    ]);
  });

  test('must select a stage that exists', () => {
    expect(messageOf(() => inContext({ stage: 'tests' }))).toContain('Did you mean "test"?');
    const empty = mkdtempSync(join(tmpdir(), 'stages-'));
    expect(messageOf(() => inContext({}, empty))).toBe(
      'There are no stages. Add a file such as stages/test.json.',
    );
    rmSync(empty, { recursive: true });
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

  test('refuses texts with a message for each', () => {
    const refused = {
      memoryMegabytes: ['', 'many', '512s', 'Infinity', '512.5'],
      deletionProtection: ['yes', 'TRUE', ''],
      credentials: ['dogs,dogs'],
      tags: ['=1', 'team', 'team=', 'team=dogs,Team=cats', 'team=dogs,team=cats'],
    };
    expect(linesFor(refused, (values) => messageOf(() => readOptions(values))).join('\n')).toMatchSnapshot();
  });
});

test.each<[keyof Settings, unknown[]]>([
  ['stage', ['a', 'prod2', 'abcdefghijklmnop']],
  ['mailSender', ['dog.service+bark@mail.example.org']],
  ['mailIdentity', ['', 'sender@example.org']],
  ['baseUrl', ['', 'https://dogs.example.org/v2']],
  ['domainName', ['dogs.xn--e1afmkfd.xn--p1ai']],
  ['corsOrigin', ['', '*', 'http://localhost:5173']],
  ['memoryMegabytes', [512, 10_240]],
  ...extensions.flatMap(({ accepted = {} }) => Object.entries(accepted) as [keyof Settings, unknown[]][]),
])('the setting %s accepts %j', (name, values) => {
  for (const value of values) {
    const settings = { ...typed, expressDeployments: false, [name]: value };
    expect(read(settings)).toEqual(settings);
  }
});

const id = '6a3b2c1d-0000-4000-8000-000000000000';

// The ranges of the numbers are in `stages/settings.schema.json`.
test('the other values are refused with a message for each', () => {
  const refused: Partial<Record<keyof Settings, unknown[]>> = {
    stage: ['', 'Prod', '1st', 'my-stage', 'prod\n', 'abcdefghijklmnopq'],
    mailSender: [
      '',
      'dogs',
      'Dogs <a@example.org>',
      'a@b.example,c@d.example',
      'a..b@example.org',
      `${'a'.repeat(65)}@example.org`,
    ],
    mailIdentity: [
      'a..b@example.org',
      'nowhere',
      'example.com',
      'ample.org',
      'other@example.org',
      'Sender@example.org',
    ],
    baseUrl: ['http://dogs.example.org', 'https://dogs.example.org/'],
    domainName: ['https://a.example', '-a.example', 'A.example'],
    certificateArn: ['', `arn:aws:iam::1:certificate/${id}`],
    tlsPolicy: ['TLS_1_2', 'SecurityPolicy_TLS13_2025_EDGE'],
    corsOrigin: [
      'https://a.example/',
      "https://a.example'",
      'https://A.example',
      'https://a.example:443',
      'https://me@a.example',
      'https://a.example.org,https://b.example.org',
    ],
    credentials: [7, 'dogs', [7], ['my-dogs'], ['dogs', 'dogs'], [...'abcdefghijk']],
    encryptionKeyArn: ['alias/dogs'],
    deletionProtection: ['true', 1],
    accessLogs: ['on'],
    authorizerReservedConcurrency: [3],
    memoryMegabytes: ['512', null, true, 512.5, 511, 10_241],
    logRetentionDays: [2, 31],
    workflowType: ['express', ''],
    architecture: ['x86', 'ARM64'],
    alarmTopicArn: [`${typed.alarmTopicArn}:${id}`, 'alarms'],
    tags: [
      7,
      ['dogs'],
      { team: 7 },
      { 'aws:own': '1' },
      { team: 'dogs;' },
      { team: 'dogs', Team: 'cats' },
      { constructor: 'Smith' },
      Object.fromEntries(Array.from({ length: 51 }, (_, i) => [`t${i}`, '1'])),
    ],
  };
  const refusalOfOne = (values: object) => refusalOf({ ...typed, ...values });
  const together: Partial<Settings>[] = [
    { workflowType: 'EXPRESS', cancellationWindowSeconds: 31 },
    {
      expressDeployments: true,
      ...extensionDefaults, // @extension budget|canary|events|firewall|waiting
      deletionProtection: true,
    },
  ];
  const lines = [
    ...[refused, ...extensions.map((one) => one.refused ?? {})].flatMap((of) => linesFor(of, refusalOfOne)),
    ...together.flatMap((one) => linesOf(refusalOfOne(one))),
  ];
  expect(lines.join('\n')).toMatchSnapshot();
});

test('an Express workflow allows a cancellation window of 30 seconds', () => {
  const cancellationWindowSeconds = 30;
  expect(read({ ...typed, workflowType: 'EXPRESS', cancellationWindowSeconds })).toMatchObject({
    cancellationWindowSeconds,
  });
});

test.each(['constructor', '__proto__', 'toString'])(
  '%s, which every object inherits, is an unknown setting',
  (name) => {
    const values = JSON.parse(`{"${name}": "1"}`);
    const line = `Unknown setting "${name}".`;
    expect(linesOf(refusalOf(values))).toEqual([expect.stringContaining(`stages/test.json: ${line}`)]);
    expect(linesOf(messageOf(() => readOptions(values)))).toEqual([expect.stringContaining(`-c: ${line}`)]);
  },
);

test('the error lists exactly the invalid settings, each with its file or the option', () => {
  write('other', '{"memoryMegabytes": 1, "requestBurst": 0, "deletionProtecton": 1}');
  const refusal = messageOf(() =>
    readStage('other', { requestBurst: 'many', x: 'y', Stage: 'test' }, folder),
  );
  expect(refusal.split('\n')).toEqual([
    'Some settings are invalid. Correct them:',
    '  stages/other.json: memoryMegabytes must be at least 512. Its value is 1.',
    '  -c: requestBurst must be a number. Its value is "many".',
    '  stages/other.json: Unknown setting "deletionProtecton". Did you mean "deletionProtection"?',
    '  -c: Unknown setting "x".',
    '  -c: Unknown setting "Stage". Did you mean "stage"?',
  ]);
});

test('each setting is used by the stack or its deployment', () => {
  const definitions = /lib\/(setting-fields|settings|stage-schema)\.ts$/;
  const code = globSync('{bin/deploy,lib}/**/*.ts')
    .filter((file) => !definitions.test(file.replaceAll('\\', '/')))
    .map((file) => readFileSync(file, 'utf8'))
    .join('\n');
  const unused = Object.keys(defaultSettings).filter((name) => !new RegExp(`\\b${name}\\b`).test(code));
  expect(unused).toEqual([]);
});

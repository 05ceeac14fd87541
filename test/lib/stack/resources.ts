import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { EventBus } from '@rest-actions/local-cloud/parts';
import { operatorPolicies, Template } from '@rest-actions/local-cloud/template';
import { maxAddressLength } from '../../../lambdas/contract/email-address.ts';
import { pageRoutes } from '../../../lambdas/contract/pages.ts';
import { routes } from '../../../lambdas/contract/routes.ts';
import { type Dog, effects } from '../../../lambdas/domain/dogs/dog.ts';
import { requestTimeoutMs } from '../../../lambdas/domain/platform/request-context.ts';
import { dogDocument } from '../../../lambdas/http/representations.ts';
import { defaultSettings, exampleSender, type Settings } from '../../../lib/settings.ts';
import { readStage } from '../../../lib/stages.ts';
import { extensions } from '../../support/extensions.ts';
import {
  aliasedSettings,
  largestSettings,
  otherSettings,
  unlimitedSettings,
} from '../../support/other-settings.ts';
import { withRemedy } from '../../support/remedy.ts';
import {
  type SynthesizedStack,
  synthesizeWith,
  type TemplateResource,
} from '../../support/stack-template.ts';

const stack = synthesizeWith();
const other = synthesizeWith(otherSettings);
const largest = synthesizeWith(largestSettings);
const lambdas = stack.ofType('AWS::Lambda::Function');

interface Statement {
  readonly Effect: string;
  readonly Action: string | string[];
  readonly Resource: string | string[];
  readonly Condition?: { readonly StringEquals?: Record<string, string> };
}

const statementsIn = ({ properties }: TemplateResource): Statement[] => properties.PolicyDocument.Statement;

const allStatements = (synthesized: SynthesizedStack) =>
  synthesized.ofType('AWS::IAM::Policy').flatMap(statementsIn);

describe('the REST API', () => {
  test('gives functions ten seconds, of which a request may use eight', () => {
    const timeouts = routes.map((route) => [
      route.name,
      stack.named('AWS::Lambda::Function', route.name).properties.Timeout,
    ]);
    const longer: readonly string[] = extensions.flatMap((one) => one.longer ?? []);
    expect(timeouts.filter(([name, timeout]) => (timeout !== 10) !== longer.includes(name))).toEqual([]);
    expect(requestTimeoutMs).toBe(10_000 - 2_000);
  });

  test('compresses the public documents, but no representation with a strong ETag', () => {
    const { MinimumCompressionSize } = stack.only('AWS::ApiGateway::RestApi').properties;
    const served = lambdas.flatMap(({ asset }) => readdirSync(asset).map((file) => join(asset, file)));
    const documents = served.filter((file) => !/\.[cm]js$/.test(file));
    expect(documents).toHaveLength(pageRoutes.length);
    for (const file of documents) expect(statSync(file).size).toBeGreaterThan(MinimumCompressionSize);
    const settings = {
      email: 'x'.repeat(maxAddressLength),
      owner: 'x'.repeat(2048),
      barkEffects: [...effects],
      barkHandling: 'async' as const,
    };
    const longestDog = dogDocument({
      dog: { id: 'x'.repeat(40), settings, barkCount: Number.MAX_SAFE_INTEGER } as Dog,
      previous: Array(100).fill(4_000_000_000),
      barking: true,
      next: 4_000_000_000,
      frequency: Number.MAX_SAFE_INTEGER,
    });
    expect(JSON.stringify(longestDog).length).toBeLessThan(MinimumCompressionSize / 4);
  });
});

describe('X-Ray', () => {
  test.each([
    ['the API and its functions', true, false],
    ['the workflow and the background functions', false, true],
    ['everything', true, true],
    ['nothing', false, false],
  ])('traces %s, depending on the settings', (_, tracing, backgroundTracing) => {
    const traced = synthesizeWith({ tracing, backgroundTracing });
    expect(traced.only('AWS::ApiGateway::Stage').properties.TracingEnabled).toBe(tracing);
    expect(traced.ofType('AWS::XRay::SamplingRule')).toHaveLength(tracing ? 1 : 0);
    for (const { path, properties } of traced.ofType('AWS::Lambda::Function')) {
      const mode = (path.startsWith('Api/') ? tracing : backgroundTracing) ? { Mode: 'Active' } : undefined;
      expect([path, properties.TracingConfig]).toEqual([path, mode]);
    }
    for (const { properties } of traced.ofType('AWS::StepFunctions::StateMachine'))
      expect(properties.TracingConfiguration).toEqual({ Enabled: backgroundTracing });
  });

  test('has a rule for the requests of the stack alone, without a first request of each second', () => {
    const ruleOf = (one: SynthesizedStack) => one.only('AWS::XRay::SamplingRule').properties.SamplingRule;
    const { FixedRate, ReservoirSize, ServiceName, ServiceType, RuleName } = ruleOf(stack);
    const { Name } = stack.only('AWS::ApiGateway::RestApi').properties;
    const { StageName } = stack.only('AWS::ApiGateway::Stage').properties;
    expect([FixedRate, ReservoirSize]).toEqual([0.05, 0]);
    expect([ServiceName, ServiceType]).toEqual([`${Name}/${StageName}`, 'AWS::ApiGateway::Stage']);
    expect([RuleName, ruleOf(largest).RuleName].map((name) => name.length <= 32)).toEqual([true, true]);
    expect(ruleOf(synthesizeWith(readStage('test').settings)).FixedRate).toBe(1);
  });
});

test('accessLogs logs the ID of the request and the route, but nothing secret and nothing that a client chooses as an ID', () => {
  const { Format } = other.only('AWS::ApiGateway::Stage').properties.AccessLogSetting;
  expect(Format).toContain('$context.extendedRequestId');
  expect(Format).toContain('$context.resourcePath');
  expect(Format).not.toMatch(/\$context\.(requestId|path|.*[hH]eader|.*[aA]piKey)\b/);
});

const known = [
  ...readFileSync(join(import.meta.dirname, '../../../lambdas/environment.ts'), 'utf8').matchAll(
    /^ {2}([A-Z_]+): string;$/gm,
  ),
].map(([, name = '']) => name);
/** The variables that depend on optional settings. */
const optional = [
  'CORS_ORIGIN',
  'PUBLISHES_EVENTS', // @extension events
];

const variablesOf = (synthesized: SynthesizedStack, name: string) =>
  Object.keys(
    synthesized.named('AWS::Lambda::Function', name).properties.Environment?.Variables ?? {},
  ).sort();

test.each(lambdas)(
  'the function $name has exactly the environment variables that its bundle reads',
  ({ name, asset }) => {
    const bundle = readFileSync(join(asset, 'main.cjs'), 'utf8');
    const read = known.filter((variable) => new RegExp(`\\b${variable}\\b`).test(bundle)).sort();
    const remedy = `Set in lib/ exactly the variables of lambdas/environment.ts that the code of ${name} reads. Most of them follow from its capabilities, which lambdas/contract/routes.ts states for a route.`;
    withRemedy(remedy, () => {
      expect(variablesOf(other, name)).toEqual(read);
      expect(variablesOf(stack, name)).toEqual(read.filter((variable) => !optional.includes(variable)));
    });
  },
);

test('the policies permit the use of the key only through the services that hold encrypted data of the role', () => {
  for (const policy of other.ofType('AWS::IAM::Policy')) {
    const statements = statementsIn(policy);
    const actions = statements.flatMap(({ Action }) => Action);
    const isAllowed = (pattern: RegExp) => actions.some((action) => pattern.test(action));
    const expected = [
      isAllowed(/^dynamodb:(?!.*(Stream|Shard|Records))/) && 'kms:Decrypt through dynamodb',
      isAllowed(/^secretsmanager:Put/)
        ? 'kms:Decrypt, kms:GenerateDataKey through secretsmanager'
        : isAllowed(/^secretsmanager:/) && 'kms:Decrypt through secretsmanager',
      isAllowed(/^sqs:SendMessage/) && 'kms:Decrypt, kms:GenerateDataKey through sqs',
      // The CDK grants this for the stream, which Lambda reads with the role of the function.
      isAllowed(/^dynamodb:GetRecords/) && 'kms:Decrypt, kms:DescribeKey through anything',
    ];
    const granted = statements
      .filter(({ Resource }) => Resource === otherSettings.encryptionKeyArn)
      .map(({ Action, Condition: { StringEquals = {} } = {} }) => {
        const [service] = StringEquals['kms:ViaService']?.split('.') ?? ['anything'];
        return `${[Action].flat().join(', ')} through ${service}`;
      });
    expect([policy.path, ...granted.sort()]).toEqual([policy.path, ...expected.filter(Boolean).sort()]);
  }
  expect(JSON.stringify(allStatements(other))).toContain('kms:');
  expect(JSON.stringify(allStatements(stack))).not.toContain('kms:');
});

/** The limit of IAM for a policy. It does not count white space. */
const mostCharacters = 6144;

test('the policies of the operator stay within the limit of IAM, even with the longest names', () => {
  const policies = operatorPolicies(new Template(largest.template, largest.stack.stackName));
  expect(policies.map(({ name }) => name)).toEqual(['Policy', 'SecretsPolicy']);
  for (const { properties } of policies) {
    const text = JSON.stringify(properties.PolicyDocument);
    const resources = text.match(/arn:/g) ?? [];
    // CloudFormation appends a hyphen and 12 characters to a generated name. The name of a region has up to 14 characters.
    const longer = resources.length * (13 + 14 - 'us-east-1'.length);
    expect(text.length + longer).toBeLessThan(mostCharacters);
  }
});

describe('the workflow of asynchronous barks', () => {
  const standard = '<BarkWorkflow/StateMachine>';
  const express = '<BarkWorkflow/Express/StateMachine>';

  test.each([
    ['EXPRESS', 30, express, aliasedSettings],
    ['STANDARD', 3600, standard, unlimitedSettings],
  ] as const)(
    'has enough time in an %s execution with the longest window, even if each attempt times out',
    (_, window, machine, settings) => {
      const synthesized = synthesizeWith(settings);
      const { States, TimeoutSeconds } = definitionOf(synthesized, machine);
      const timeoutSeconds = synthesized.named('AWS::Lambda::Function', 'PerformBark').properties.Timeout;
      const retries = States.PerformBark.Retry.reduce(
        (sum: number, { MaxAttempts }: Retry) => sum + MaxAttempts,
        0,
      );
      const delays = [...States.PerformBark.Retry, ...States.FailBark.Retry].map(delaysOf);
      const total = [window, ...delays, (retries + 1) * timeoutSeconds].reduce((sum, part) => sum + part, 0);
      // Cold starts, and the calls to Lambda's API, need some seconds.
      expect(TimeoutSeconds - total).toBeGreaterThanOrEqual(20);
    },
  );

  test('retries the task until the request that accepts a bark has ended', () => {
    const { Retry: retriers, Catch: catchers } = definitionOf(stack, express).States.PerformBark;
    const [untilStored] = retriers;
    expect(untilStored.ErrorEquals).toEqual(['NotStored']);
    expect(delaysOf(untilStored)).toBeGreaterThan(requestTimeoutMs / 1_000);
    expect(untilStored.JitterStrategy).toBeUndefined();
    expect(catchers[0]).toMatchObject({ ErrorEquals: ['NotStored'], Next: 'NoBark' });
  });

  function definitionOf(synthesized: SynthesizedStack, machine: string) {
    const found = synthesized
      .ofType('AWS::StepFunctions::StateMachine')
      .find(({ path }) => `<${path}>` === machine);
    return JSON.parse(found?.properties.DefinitionString);
  }

  type Retry = Record<'IntervalSeconds' | 'MaxAttempts' | 'BackoffRate', number> & {
    readonly MaxDelaySeconds?: number;
  };

  /** Returns the sum of the longest delays of a Retry, in seconds. */
  function delaysOf(retry: Retry): number {
    const delays = Array.from({ length: retry.MaxAttempts }, (_, n) =>
      Math.min(
        retry.IntervalSeconds * retry.BackoffRate ** n,
        retry.MaxDelaySeconds ?? Number.POSITIVE_INFINITY,
      ),
    );
    return delays.reduce((sum, delay) => sum + delay, 0);
  }
});

describe('authorizerProvisionedConcurrency', () => {
  const provisioned = synthesizeWith(unlimitedSettings);
  const versionOf = (synthesized: SynthesizedStack) => synthesized.only('AWS::Lambda::Version');

  test('gives only the authorizer an alias, which API Gateway calls', () => {
    const aliases = provisioned.ofType('AWS::Lambda::Alias');
    expect(aliases.map(({ path }) => path)).toEqual(['Api/Authorizer/Aliasprovisioned']);
    const { AuthorizerUri } = provisioned.only('AWS::ApiGateway::Authorizer').properties;
    expect(AuthorizerUri).toContain('<Api/Authorizer/Aliasprovisioned>');
    expect(provisioned.ofType('AWS::CodeDeploy::DeploymentGroup')).toEqual([]);
  });

  test.each([
    ['without other aliases', provisioned],
    ['with all other settings', other],
  ])('is a property of the version, never of an alias, %s', (_, synthesized) => {
    const version = synthesized.named('AWS::Lambda::Version', 'CurrentVersion');
    expect(version.properties.ProvisionedConcurrencyConfig).toEqual({ ProvisionedConcurrentExecutions: 2 });
    for (const alias of synthesized.ofType('AWS::Lambda::Alias'))
      expect(alias.properties).not.toHaveProperty('ProvisionedConcurrencyConfig');
  });

  test('changes the function and its version, because a version cannot change', () => {
    const more = synthesizeWith({ ...unlimitedSettings, authorizerProvisionedConcurrency: 3 });
    expect(versionOf(more).id).not.toBe(versionOf(provisioned).id);
    const descriptionOf = (synthesized: SynthesizedStack) =>
      synthesized.named('AWS::Lambda::Function', 'Authorizer').properties.Description;
    expect([stack, provisioned, more].map(descriptionOf)).toEqual([
      'Authorizes requests',
      'Authorizes requests (initialized: 2)',
      'Authorizes requests (initialized: 3)',
    ]);
  });
});

describe('tlsPolicy', () => {
  const policiesOf = ({ resources }: SynthesizedStack) =>
    resources
      .filter(({ type }) => /^AWS::ApiGateway::(RestApi|DomainName)$/.test(type))
      .map(({ properties }) => [properties.SecurityPolicy, properties.EndpointAccessMode]);

  test('applies to the API and its domain name', () => {
    const policy = [otherSettings.tlsPolicy, 'STRICT'];
    expect(policiesOf(other)).toEqual([policy, policy]);
  });

  test('leaves the default to API Gateway, and requires TLS 1.2 for the domain name, if it is empty', () => {
    const { domainName, certificateArn } = otherSettings;
    expect(policiesOf(synthesizeWith({ domainName, certificateArn }))).toEqual([
      [undefined, undefined],
      ['TLS_1_2', undefined],
    ]);
  });
});

describe('an event of SES', () => {
  const template = new Template(stack.template, stack.stack.stackName);
  const received: string[] = [];
  const put = (target: string) => {
    received.push(target.replace(/.*[:-]Mail(\w+?)[0-9A-F]{8}$/, '$1'));
  };
  const bus = new EventBus(template, {
    invocations: { put },
    deadLetterQueues: { put } as never,
    logs: { put: () => {} },
  });
  const [configurationSet] = template.ofType('AWS::SES::ConfigurationSet').map((one) => template.idOf(one));
  const mail = { tags: { 'ses:configuration-set': [configurationSet] } };
  const bounce = (bounceType: string) => ({ bounce: { bounceType } });
  const complaint = (complaintFeedbackType?: string | null) => ({ complaint: { complaintFeedbackType } });

  test.each<[type: string, detail: object, targets: string[]]>([
    ['Email Bounced', bounce('Permanent'), ['SuspendAddress']],
    ['Email Bounced', bounce('Transient'), ['MailFeedback']],
    ['Email Bounced', bounce('Undetermined'), ['MailFeedback']],
    ['Email Rejected', { reject: { reason: 'Bad content' } }, ['MailFeedback']],
    ['Email Complaint Received', complaint(), ['SuspendAddress']],
    ['Email Complaint Received', complaint(null), ['SuspendAddress']],
    ...['abuse', 'fraud', 'other', 'not-spam', 'unheard-of'].map((type): [string, object, string[]] => [
      'Email Complaint Received',
      complaint(type),
      ['SuspendAddress'],
    ]),
    ...['auth-failure', 'virus'].map((type): [string, object, string[]] => [
      'Email Complaint Received',
      complaint(type),
      ['SuspendAddress', 'MailFeedback'],
    ]),
    ['Email Delivered', {}, []],
  ])('%s %j reaches %j', (type, detail, targets) => {
    received.length = 0;
    bus.put({ source: 'aws.ses', 'detail-type': type, detail: { ...detail, mail } });
    expect(received).toEqual(targets);
    bus.put({ source: 'aws.ses', 'detail-type': type, detail: { ...detail } });
    expect(received).toEqual(targets);
  });
});

describe('the monitoring', () => {
  const pathsOf = (type: string) => stack.ofType(`AWS::${type}`).map(({ path }) => `<${path}>`);
  const jobs = pathsOf('Lambda::Function').filter((path) => !path.startsWith('<Api/'));

  test.each<[string, string, string[]]>([
    ['TableThrottles', 'table', pathsOf('DynamoDB::Table')],
    ['Executions', 'state machine', pathsOf('StepFunctions::StateMachine')],
    ['JobErrors', 'function that the API does not invoke', jobs],
  ])('has the alarm %s on each %s', (alarm, _, watched) => {
    const { Metrics } = stack.named('AWS::CloudWatch::Alarm', `${alarm}Alarm`).properties;
    const metrics = Metrics.flatMap(({ MetricStat }: { MetricStat?: object }) => MetricStat ?? []);
    const values = metrics.map(({ Metric }: { Metric: { Dimensions: { Value: string }[] } }) =>
      Metric.Dimensions.map(({ Value }) => Value).join(),
    );
    expect([...new Set(values)].sort()).toEqual(watched.sort());
  });

  test('has an alarm that fires if Lambda no longer reads a stream, in which case the other metrics have no data', () => {
    const mappings = largest.ofType('AWS::Lambda::EventSourceMapping');
    // Without this option, Lambda reports no metrics of the mapping, and the alarm would always fire.
    for (const { properties } of mappings)
      expect(properties.MetricsConfig).toEqual({ Metrics: ['EventCount'] });
    const alarms = largest
      .ofType('AWS::CloudWatch::Alarm')
      .map(({ properties }) => properties)
      .filter(({ MetricName }) => MetricName === 'PolledEventCount');
    for (const { TreatMissingData } of alarms) expect(TreatMissingData).toBe('breaching');
    expect(alarms.map(({ Dimensions }) => Dimensions).sort()).toEqual(
      mappings.map(({ path }) => [{ Name: 'EventSourceMappingUUID', Value: `<${path}>` }]).sort(),
    );
    expect(alarms).not.toEqual([]);
  });

  // @extension project {
  test('has alarms whose number of metrics and price docs/costs.md states', () => {
    const metrics = stack
      .ofType('AWS::CloudWatch::Alarm')
      .flatMap(({ properties }) => properties.Metrics ?? [{ MetricStat: {} }])
      .filter(({ MetricStat }: { MetricStat?: object }) => MetricStat);
    const page = readFileSync(join(import.meta.dirname, '../../../docs/costs.md'), 'utf8').replace(
      / +/g,
      ' ',
    );
    const price = ((metrics.length - 10) * 0.1).toFixed(2);
    expect(page).toContain(`| alarms on ${metrics.length} metrics, ten of them free | ${price} |`);
  });
  // @extension project }

  test.each(['MailFailed', 'MailDropped', 'SenderRefused', 'BarkFailed', 'CredentialRefused'])(
    'counts the event %s in the logs of the functions that log it',
    (event) => {
      const logging = lambdas.filter(({ asset }) =>
        readFileSync(join(asset, 'main.cjs'), 'utf8').includes(event),
      );
      const filters = stack
        .ofType('AWS::Logs::MetricFilter')
        .filter(({ properties }) => properties.FilterPattern.includes(`"${event}"`));
      expect(logging).not.toEqual([]);
      expect(filters.map(({ properties }) => properties.LogGroupName)).toEqual(
        expect.arrayContaining(logging.map(({ path }) => `<${path}Logs>`)),
      );
      const { Namespace, MetricName } = stack.named('AWS::CloudWatch::Alarm', `${event}Alarm`).properties;
      for (const { properties } of filters)
        expect(properties.MetricTransformations).toMatchObject([{ MetricNamespace: Namespace, MetricName }]);
    },
  );
});

test('the stack warns only if the sender is the example address', () => {
  const warningsOf = (synthesized: SynthesizedStack) =>
    synthesized.stack.node
      .findAll()
      .flatMap(({ node }) => node.metadata)
      .filter(({ type }) => type === 'aws:cdk:warning')
      .map(({ data }) => data);
  expect(warningsOf(stack)).toEqual([expect.stringContaining(exampleSender)]);
  expect(warningsOf(other)).toEqual([]);
});

describe('each setting', () => {
  test('is not its default in otherSettings, so that the snapshot of their changes shows what it determines', () => {
    const shown = Object.entries(otherSettings).filter(
      ([name, value]) => !isDeepStrictEqual(value, defaultSettings[name as keyof Settings]),
    );
    const names = Object.keys(defaultSettings).filter((name) => name !== 'expressDeployments');
    expect(shown.map(([name]) => name).sort()).toEqual(names.sort());
  });

  test('a stack whose limits are all 0 has neither the variable nor the alarm of the limits', () => {
    const unlimited = synthesizeWith(unlimitedSettings);
    expect(JSON.stringify(unlimited.template)).not.toContain('"LIMITS"');
    expect(JSON.stringify(stack.template)).toContain('"LIMITS"');
    const alarms = unlimited.ofType('AWS::CloudWatch::Alarm').map(({ name }) => name);
    expect(alarms).not.toContain('MailDroppedAlarm');
    expect(stack.ofType('AWS::CloudWatch::Alarm').map(({ name }) => name)).toContain('MailDroppedAlarm');
  });

  test('stage is part of each physical name', () => {
    const names = physicalNamesOf(stack);
    expect(names).toContain('dogs-prod');
    expect(names.filter((name) => physicalNamesOf(other).includes(name))).toEqual([]);
    expect(stack.stack.stackName).not.toBe(other.stack.stackName);
  });

  /** Returns the names that are unique in an account and a region. The name of an inline policy is unique only in its role. */
  function physicalNamesOf({ resources }: SynthesizedStack): string[] {
    return resources
      .filter(({ type }) => type !== 'AWS::IAM::Policy' && type !== 'AWS::Lambda::Permission')
      .flatMap(({ properties }) => Object.entries(properties))
      .filter(
        ([name, value]) =>
          /^(Name|(Alarm|Function|Queue|Role|Stage|Table)Name)$/.test(name) && !/^<.*>$/.test(value),
      )
      .map(([, value]) => value);
  }

  test('domainName is in the URL of the service, of links in mails and the issuer of tokens if baseUrl is empty', () => {
    const functions = largest.ofType('AWS::Lambda::Function');
    const urls = functions.flatMap(
      ({
        properties: {
          Environment: { Variables: variables },
        },
      }) => [variables.BASE_URL ?? [], variables.TOKEN_ISSUER ?? []].flat(),
    );
    expect(new Set([largest.outputs.BaseUrl, ...urls])).toEqual(
      new Set([`https://${largestSettings.domainName}`]),
    );
  });

  test('is in the output Settings, the only trace of expressDeployments', () => {
    const express = synthesizeWith({ expressDeployments: true });
    for (const [settings, { outputs }] of [
      [defaultSettings, stack],
      [otherSettings, other],
      [{ ...defaultSettings, expressDeployments: true }, express],
    ] as const)
      expect(JSON.parse(outputs.Settings ?? '')).toEqual(settings);
    expect(express.resources).toEqual(stack.resources);
  });

  test('tags is on the stack, whose tags CloudFormation adds to almost all resources', () => {
    expect(other.stack.tags.tagValues()).toEqual(otherSettings.tags);
    const tagged = other.resources.filter(({ properties }) => 'Tags' in properties);
    expect(tagged.map(({ type }) => type)).toEqual(extensions.flatMap(({ tagged = [] }) => tagged));
  });

  /** The identifiers are the primary identifiers of the resource types' schemas, which all have a read handler. */
  const identifiers: Record<string, string> = {
    'AWS::DynamoDB::Table': 'TableName',
    'AWS::Scheduler::ScheduleGroup': 'Name',
    'AWS::SES::EmailIdentity': 'EmailIdentity',
    'AWS::SecretsManager::Secret': 'Id',
  };

  test('deletionProtection keeps only resources that CloudFormation can import again by the identifiers in docs/deploying.md', () => {
    const keptOf = ({ resources }: SynthesizedStack) =>
      resources.filter(({ attributes }) => attributes.DeletionPolicy === 'RetainExceptOnCreate');
    const kept = keptOf(largest);
    expect([...new Set(kept.map(({ type }) => type))].sort()).toEqual(Object.keys(identifiers).sort());
    expect(largest.ofType('AWS::DynamoDB::Table').filter((table) => !kept.includes(table))).toEqual([]);
    const guide = readFileSync(join(import.meta.dirname, '../../../docs/deploying.md'), 'utf8');
    for (const [type, identifier] of Object.entries(identifiers))
      expect(guide).toContain(`"${type}": "${identifier}"`);
    // An import operation can import these resources without the rest of the template.
    const paths = kept.map(({ path }) => `<${path}>`);
    for (const { properties, attributes } of kept) {
      expect(JSON.stringify(properties)).not.toMatch(/<.*>/);
      expect(paths).toEqual(expect.arrayContaining(attributes.DependsOn ?? []));
    }
    expect(keptOf(other)).toEqual([]);
    const isProtected = [stack, other, largest].map((one) => one.stack.terminationProtection);
    expect(isProtected).toEqual([true, false, true]);
  });
});

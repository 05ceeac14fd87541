import { defaultSettings } from '../../lib/settings.ts';
import { otherSettings } from '../support/other-settings.ts';
import { type SynthesizedStack, synthesizeWith, type TemplateResource } from '../support/stack-template.ts';

const allAtOnce = synthesizeWith();
const canary = synthesizeWith({ releases: 'canary' });

/** The function whose ARN the schedules of the dogs keep for years, even if the setting changes. */
const withoutAlias = 'BarkOnSchedule';

const functionNames = canary.ofType('AWS::Lambda::Function').map(({ name }) => name);
const released = functionNames.filter((name) => name !== withoutAlias);

interface Update {
  readonly CodeDeployLambdaAliasUpdate: {
    readonly ApplicationName: { readonly Ref: string };
    readonly DeploymentGroupName: { readonly Ref: string };
  };
}

function aliasOf(name: string): TemplateResource & { readonly update: Update } {
  const lambda = canary.named('AWS::Lambda::Function', name);
  const [alias, ...others] = canary
    .ofType('AWS::Lambda::Alias')
    .filter(({ properties }) => properties.FunctionName.Ref === lambda.id);
  if (!alias || others.length > 0) throw new Error(`${name} must have exactly one alias.`);
  const { Resources } = canary.template as { Resources: Record<string, { UpdatePolicy: Update }> };
  return { ...alias, update: Resources[alias.id]?.UpdatePolicy as Update };
}

/** Returns the resources whose properties refer to a resource by `Ref` or `Fn::GetAtt`. */
function referencesTo(synthesized: SynthesizedStack, id: string): TemplateResource[] {
  const reference = new RegExp(`\\{"Ref":"${id}"\\}|\\{"Fn::GetAtt":\\["${id}",`);
  return synthesized.resources.filter(({ properties }) => reference.test(JSON.stringify(properties)));
}

describe('releases=allAtOnce', () => {
  test('is the default, and creates no version, alias or deployment group', () => {
    expect(defaultSettings.releases).toBe('allAtOnce');
    for (const type of [
      'Lambda::Version',
      'Lambda::Alias',
      'CodeDeploy::Application',
      'CodeDeploy::DeploymentGroup',
    ])
      expect([type, allAtOnce.ofType(`AWS::${type}`)]).toEqual([type, []]);
  });
});

describe('releases=canary', () => {
  test.each(released)(
    'gives %s an alias for its current version, and CodeDeploy shifts the traffic of the alias',
    (name) => {
      const { properties, update } = aliasOf(name);
      expect(properties.Name).toBe('live');
      const [id] = properties.FunctionVersion['Fn::GetAtt'];
      expect(canary.resources.find((one) => one.id === id)).toMatchObject({
        type: 'AWS::Lambda::Version',
        properties: { FunctionName: properties.FunctionName },
      });
      const { ApplicationName, DeploymentGroupName } = update.CodeDeployLambdaAliasUpdate;
      expect(canary.only('AWS::CodeDeploy::Application').id).toBe(ApplicationName.Ref);
      const group = canary.resources.find((one) => one.id === DeploymentGroupName.Ref);
      expect(group).toMatchObject({
        type: 'AWS::CodeDeploy::DeploymentGroup',
        properties: {
          ApplicationName,
          DeploymentConfigName: 'CodeDeployDefault.LambdaCanary10Percent10Minutes',
          DeploymentStyle: { DeploymentOption: 'WITH_TRAFFIC_CONTROL', DeploymentType: 'BLUE_GREEN' },
          AutoRollbackConfiguration: {
            Enabled: true,
            Events: ['DEPLOYMENT_FAILURE', 'DEPLOYMENT_STOP_ON_REQUEST', 'DEPLOYMENT_STOP_ON_ALARM'],
          },
        },
      });
      const alarms = group?.properties.AlarmConfiguration.Alarms.map(({ Name }: { Name: unknown }) =>
        canary.inWords(Name),
      );
      expect(alarms).toEqual(['ServerErrorsAlarm', 'JobErrorsAlarm']);
    },
  );

  test.each(released)('makes every caller of %s use the alias', (name) => {
    const { id } = canary.named('AWS::Lambda::Function', name);
    const bypassing = referencesTo(canary, id).filter(
      ({ type, id: where }) =>
        !['AWS::Lambda::Version', 'AWS::Lambda::Alias', 'AWS::Lambda::EventInvokeConfig'].includes(type) &&
        // The metrics of a function include all its versions.
        !['AWS::CloudWatch::Alarm', 'AWS::CloudWatch::Dashboard'].includes(type) &&
        !(type === 'AWS::IAM::Policy' && where.startsWith('ReleasesRole')) &&
        // The role of the workflow also serves older executions, so it may name the function. The definition must name the alias.
        !(type === 'AWS::IAM::Policy' && where.startsWith('BarkWorkflowStateMachineRole')),
    );
    expect(bypassing.map(({ type, id: where }) => `${type} ${where}`)).toEqual([]);
    expect(referencesTo(canary, aliasOf(name).id).map(({ type }) => type)).not.toEqual([]);
  });

  test('permits API Gateway to invoke the aliases of its methods', () => {
    const called = canary
      .ofType('AWS::ApiGateway::Method')
      .map(
        ({ properties }) =>
          /functions\/(\w+)\/invocations/.exec(canary.inWords(properties.Integration.Uri))?.[1],
      );
    const allowed = canary
      .ofType('AWS::Lambda::Permission')
      .map(({ properties }) => canary.inWords(properties.FunctionName));
    expect(new Set(called)).toEqual(new Set(['Aliaslive']));
    expect(new Set(allowed)).toEqual(new Set(['Aliaslive']));
  });

  test.each(['FailBark', 'RefreshCredentials'])(
    'applies the asynchronous invocation settings of %s to its alias',
    (name) => {
      const configOf = (synthesized: SynthesizedStack) => {
        const { id } = synthesized.named('AWS::Lambda::Function', name);
        const [config] = synthesized
          .ofType('AWS::Lambda::EventInvokeConfig')
          .filter(({ properties }) => properties.FunctionName.Ref === id);
        const { Qualifier, ...rest } = config?.properties ?? {};
        return { Qualifier: synthesized.inWords(Qualifier), rest: JSON.parse(JSON.stringify(rest)) };
      };
      const { Qualifier, rest } = configOf(canary);
      expect(rest).toEqual(configOf(allAtOnce).rest);
      expect([configOf(allAtOnce).Qualifier, Qualifier]).toEqual(['$LATEST', 'Aliaslive[7]']);
    },
  );

  test.each(['PerformBark', 'FailBark'])(
    'permits an execution that began before the setting changed to invoke %s',
    (name) => {
      const invoked = (synthesized: SynthesizedStack) => {
        const policy = synthesized
          .ofType('AWS::IAM::Policy')
          .find(({ id }) => id.startsWith('BarkWorkflowStateMachineRole'));
        return JSON.stringify(policy?.properties);
      };
      for (const synthesized of [allAtOnce, canary]) {
        const { id } = synthesized.named('AWS::Lambda::Function', name);
        expect(invoked(synthesized)).toContain(`{"Fn::GetAtt":["${id}","Arn"]},":*"`);
      }
    },
  );

  test('does not change the target of the schedules of the dogs', () => {
    const namesOf = ({ template }: SynthesizedStack) => {
      const { Outputs } = template as { Outputs: Record<string, { Value: unknown }> };
      return [Outputs.ScheduleTarget, Outputs.ScheduleRole, Outputs.ScheduleGroup, Outputs.ScheduleDlq];
    };
    expect(namesOf(canary)).toEqual(namesOf(allAtOnce));
    const policyOf = (synthesized: SynthesizedStack) =>
      synthesized.ofType('AWS::IAM::Policy').find(({ id }) => id.startsWith('BarkSchedulesRole'))?.properties;
    expect(policyOf(canary)).toBeDefined();
    expect(policyOf(canary)).toEqual(policyOf(allAtOnce));
  });

  test('keeps the event source mapping, so that Lambda does not read the stream from its start again', () => {
    const [before, after] = [allAtOnce, canary].map((one) => one.only('AWS::Lambda::EventSourceMapping'));
    expect(after?.id).toBe(before?.id);
    expect(after?.properties).toEqual({
      ...before?.properties,
      FunctionName: { Ref: aliasOf('PurgeDog').id },
    });
  });

  test('makes the alias the function to which the operator redrives dead-letter messages', () => {
    const { Outputs } = canary.template as { Outputs: Record<string, { Value: unknown }> };
    const queues: { name: string; function?: string }[] = JSON.parse(canary.inWords(Outputs.Queues?.Value));
    expect(Object.fromEntries(queues.map(({ name, function: lambda }) => [name, lambda]))).toEqual({
      WorkflowDlq: 'Aliaslive[6]:live',
      ScheduleDlq: 'BarkOnSchedule',
      BarkDlq: 'BarkOnSchedule',
      PurgeDlq: 'Aliaslive[6]:live',
      RefreshDlq: 'Aliaslive[6]:live',
    });
  });

  test('permits CodeDeploy to change only the aliases of these functions', () => {
    const role = canary
      .ofType('AWS::IAM::Role')
      .find(({ properties }) => JSON.stringify(properties).includes('codedeploy.amazonaws.com'));
    const policy = canary
      .ofType('AWS::IAM::Policy')
      .find(({ properties }) => properties.Roles.some(({ Ref }: { Ref: string }) => Ref === role?.id));
    const [shift, alarms] = policy?.properties.PolicyDocument.Statement ?? [];
    expect(role?.properties.ManagedPolicyArns).toBeUndefined();
    expect(shift.Action).toEqual([
      'lambda:GetAlias',
      'lambda:GetProvisionedConcurrencyConfig',
      'lambda:UpdateAlias',
    ]);
    expect(shift.Resource.map((resource: unknown) => canary.inWords(resource)).sort()).toEqual(
      released.flatMap((name) => [`${name}.Arn`, `${name}.Arn:live`]).sort(),
    );
    expect(alarms).toMatchObject({ Action: 'cloudwatch:DescribeAlarms', Resource: '*' });
  });

  test('adds 81 resources, and stays below the limit of 500 with all other settings', () => {
    expect(canary.resources.length - allAtOnce.resources.length).toBe(81);
    expect(synthesizeWith(otherSettings).resources.length).toBeLessThan(500);
  });
});

import { aliasedSettings } from '../../../support/other-settings.ts';
import { withRemedy } from '../../../support/remedy.ts';
import { type SynthesizedStack, synthesizeWith } from '../../../support/stack-template.ts';

const allAtOnce = synthesizeWith();
const canary = synthesizeWith(aliasedSettings);

/** The function whose ARN the schedules of the dogs keep for years, even if the setting changes. */
const withoutAlias = 'BarkSchedules/BarkOnSchedule';

const released = canary
  .ofType('AWS::Lambda::Function')
  .map(({ path }) => path)
  .filter((path) => path !== withoutAlias);

describe('releases=canary', () => {
  test.each(released)('makes every caller of %s use the alias', (path) => {
    const referring = (target: string) => {
      const reference = new RegExp(`<${target}[.>]`);
      return canary.resources.filter(({ properties }) => reference.test(JSON.stringify(properties)));
    };
    const allowed = [
      /^AWS::Lambda::(Version|Alias|EventInvokeConfig) /,
      // The metrics of a function include all its versions.
      /^AWS::CloudWatch::(Alarm|Dashboard) /,
      /^AWS::IAM::Policy Releases\/Role\//,
      // The roles of the workflow also serve older executions, so they may name the function. The definition must name the alias.
      /^AWS::IAM::Policy BarkWorkflow\/(Express\/)?StateMachine\/Role\//,
    ];
    const bypassing = referring(path).map((resource) => `${resource.type} ${resource.path}`);
    withRemedy('In lib/, let what invokes the function use its entryPoint.', () => {
      expect(bypassing.filter((one) => !allowed.some((pattern) => pattern.test(one)))).toEqual([]);
      expect(referring(`${path}/Aliaslive`)).not.toEqual([]);
    });
  });

  const groups = canary.ofType('AWS::CodeDeploy::DeploymentGroup');

  test('shifts at most five functions, all at the same time, in ten minutes', () => {
    expect(groups.map(({ name }) => name).sort()).toEqual([
      'Authorizer',
      'GetDog',
      'PatchDog',
      'PostBarkSchedule',
      'PostBarks',
    ]);
    for (const { properties, attributes } of groups) {
      expect(properties.DeploymentConfigName).toBe('CodeDeployDefault.LambdaCanary10Percent10Minutes');
      expect(attributes).toEqual({});
      // An alarm that is renamed would otherwise stop no release.
      expect(properties.AlarmConfiguration.Alarms).toEqual([
        { Name: '<Monitoring/ServerErrorsAlarm>' },
        { Name: '<Monitoring/JobErrorsAlarm>' },
      ]);
    }
    const shifted = canary
      .ofType('AWS::Lambda::Alias')
      .filter(({ attributes }) => attributes.UpdatePolicy)
      .map(({ path }) => path.split('/').at(-2));
    expect(shifted.sort()).toEqual(groups.map(({ name }) => name).sort());
  });

  test('permits executions that began before the setting changed to invoke their functions', () => {
    for (const synthesized of [allAtOnce, canary])
      for (const machine of ['StateMachine', 'Express/StateMachine']) {
        const policy = synthesized.resources.find(
          ({ path }) => path === `BarkWorkflow/${machine}/Role/DefaultPolicy`,
        );
        const resources = policy?.properties.PolicyDocument.Statement[0].Resource;
        for (const name of ['PerformBark', 'FailBark'])
          expect(resources).toContain(`<BarkWorkflow/${name}.Arn>:*`);
      }
  });

  test('does not change the target of the schedules of the dogs', () => {
    const targetOf = ({ outputs, resources }: SynthesizedStack) => [
      [outputs.ScheduleTarget, outputs.ScheduleRole, outputs.ScheduleGroup, outputs.ScheduleDlq],
      resources.find(({ path }) => path === 'BarkSchedules/Role/DefaultPolicy')?.properties,
    ];
    expect(targetOf(canary)).toEqual(targetOf(allAtOnce));
    expect(targetOf(canary)).not.toContain(undefined);
  });

  test('keeps the event source mapping, so that Lambda does not read the stream from its start again', () => {
    const before = allAtOnce.only('AWS::Lambda::EventSourceMapping');
    const FunctionName = '<Purge/PurgeDog/Aliaslive>';
    const properties = { ...before.properties, FunctionName };
    expect(canary.only('AWS::Lambda::EventSourceMapping')).toMatchObject({ id: before.id, properties });
  });

  test('makes the alias the function to which the operator redrives dead-letter messages', () => {
    const queuesOf = ({ outputs }: SynthesizedStack): { function?: string }[] =>
      JSON.parse(outputs.Queues ?? '');
    const expected = queuesOf(allAtOnce).map(({ function: lambda, ...queue }) => {
      if (lambda === undefined || lambda === `<${withoutAlias}>`) return { ...queue, function: lambda };
      return { ...queue, function: `${lambda.replace('>', '/Aliaslive>')}[6]:live` };
    });
    expect(queuesOf(canary)).toEqual(expected);
  });
});

import { readAssembly } from '@rest-actions/local-cloud/template';

/** What must stay the same in every version of the stack, because CloudFormation would otherwise replace the resource. */
interface FrozenResource {
  readonly type: string;
  /** The physical name, if the template contains it. */
  readonly name?: string;
  readonly keys?: unknown;
}

export interface Identities {
  /** The frozen resources, by their logical IDs. */
  readonly resources: Readonly<Record<string, FrozenResource>>;
  /** The names of the outputs of the stack. */
  readonly outputs: readonly string[];
}

/**
 * The types of the resources that have data or addresses which outlive a deployment. Rules of other stacks contain the name of the
 * event bus. Stored schedules contain the ARNs of their target and of their role. A client knows the URL of the API.
 */
const frozenTypes = new Set([
  'AWS::ApiGateway::RestApi',
  'AWS::DynamoDB::Table',
  'AWS::Events::EventBus',
  'AWS::Scheduler::ScheduleGroup',
  'AWS::SecretsManager::Secret',
  'AWS::SQS::Queue',
  'AWS::StepFunctions::StateMachine',
]);
const frozenIds = /^BarkSchedules(BarkOnSchedule|Role)[0-9A-F]{8}$/;

/** Returns what must stay the same in a synthesized stack. */
export function identitiesIn(assembly: string): Identities {
  const { template } = readAssembly(assembly);
  const frozen = template.resources.filter(
    ({ type, logicalId }) => frozenTypes.has(type) || frozenIds.test(logicalId),
  );
  const resources = frozen.map(({ logicalId, type, properties }) => {
    const { Name: name = properties.QueueName, KeySchema: keys } = properties;
    return [logicalId, { type, ...(name && { name }), ...(keys && { keys }) }];
  });
  return { resources: Object.fromEntries(resources), outputs: Object.keys(template.outputs) };
}

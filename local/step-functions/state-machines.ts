import { StateMachine, type StateMachineDefinition } from 'aws-local-stepfunctions';
import type { Template } from '../template/template.ts';

/** The longest wait that a Node timer supports. */
export const maximumWaitSeconds = 2_147_483;

/** A state machine of the template. */
export interface Machine {
  readonly type: 'STANDARD' | 'EXPRESS';
  readonly definition: StateMachineDefinition;
}

/** The resource of a task that calls Lambda's API, instead of the ARN of a function. */
export const lambdaIntegration = 'arn:aws:states:::lambda:invoke';

/** The valid definitions, as JSON. They are validated only once, because the validator compiles its schemas for each validation. */
const validated = new Set<string>();

/**
 * Returns the template's state machines, by ARN.
 *
 * @throws Error with the logical ID of the state machine if the interpreter does not support its definition
 * @throws Error if a definition is invalid
 */
export function stateMachinesOf(template: Template): Map<string, Machine> {
  return new Map(
    template.ofType('AWS::StepFunctions::StateMachine').map((resource) => {
      const { DefinitionString, StateMachineType: type = 'STANDARD' } = resource.properties;
      const definition = JSON.parse(DefinitionString);
      checkSupport(definition, resource.logicalId);
      if (!validated.has(DefinitionString))
        new StateMachine(definition, { validationOptions: { checkArn: false } });
      validated.add(DefinitionString);
      return [template.idOf(resource), { type, definition }];
    }),
  );
}

/** @throws Error if the definition uses a feature that the interpreter ignores or executes incorrectly */
function checkSupport(
  definition: StateMachineDefinition & { QueryLanguage?: string },
  logicalId: string,
): void {
  if (definition.QueryLanguage !== undefined && definition.QueryLanguage !== 'JSONPath')
    throw new Error(`${logicalId}: the local cloud supports only JSONPath.`);
  for (const [name, state] of Object.entries(definition.States)) {
    const unsupported = unsupportedFeature(state);
    if (unsupported)
      throw new Error(`${logicalId}: the local cloud does not support ${unsupported} in the state ${name}.`);
  }
}

function unsupportedFeature(state: StateMachineDefinition['States'][string]): string | undefined {
  const field = ['QueryLanguage', 'Assign', 'Arguments', 'Output'].find((name) => name in state);
  if (field) return `the field ${field}`;
  if (state.Type === 'Map' || state.Type === 'Parallel') return `the type ${state.Type}`;
  if (state.Type === 'Task' && !state.Resource.includes(':function:')) {
    if (state.Resource !== lambdaIntegration) return `the resource ${state.Resource}`;
    const { InvocationType } = Object(state.Parameters);
    if (InvocationType !== 'Event') return `an invocation of the type ${InvocationType ?? 'RequestResponse'}`;
  }
  if (state.Type === 'Wait' && (state.Seconds === undefined || state.Seconds > maximumWaitSeconds))
    return `a wait without Seconds or with more than ${maximumWaitSeconds} seconds`;
  return undefined;
}

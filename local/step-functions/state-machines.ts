import type { StateMachineDefinition } from 'aws-local-stepfunctions';
import type { Template } from '../template/template.ts';
import { interpreter } from './interpreter-package.ts';

/** The longest wait that a Node timer supports. */
export const maximumWaitSeconds = 2_147_483;

/** The definitions that the validator has accepted, as JSON. */
export interface ValidDefinitions {
  has(definition: string): boolean;
  add(definition: string): void;
}

/** A state machine of the template. */
export interface Machine {
  readonly type: 'STANDARD' | 'EXPRESS';
  readonly definition: StateMachineDefinition;
}

/** The resource of a task that calls Lambda's API, instead of the ARN of a function. */
export const lambdaIntegration = 'arn:aws:states:::lambda:invoke';

/**
 * Returns the template's state machines, by ARN.
 *
 * @param valid the definitions that need no validation. A validation takes a quarter of a second, because the validator compiles
 *   its schemas each time
 * @throws Error with the logical ID of the state machine if the interpreter does not support its definition
 * @throws Error if a definition is invalid
 */
export function stateMachinesOf(template: Template, valid: ValidDefinitions): Map<string, Machine> {
  return new Map(
    template.ofType('AWS::StepFunctions::StateMachine').map((resource) => {
      const { DefinitionString, StateMachineType: type = 'STANDARD' } = resource.properties;
      const definition = JSON.parse(DefinitionString);
      checkSupport(definition, resource.logicalId);
      if (!valid.has(DefinitionString)) {
        // The validator changes its argument.
        new (interpreter().StateMachine)(JSON.parse(DefinitionString), {
          validationOptions: { checkArn: false },
        });
        valid.add(DefinitionString);
      }
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

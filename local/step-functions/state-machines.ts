import * as v from 'valibot';
import type { Template } from '../template/template.ts';

/** A task that calls Lambda's API names this resource instead of a function's ARN. */
const lambdaIntegration = 'arn:aws:states:::lambda:invoke';

/** `States.ALL`, or the name of an error that Step Functions does not define. */
const ErrorEquals = v.array(v.pipe(v.string(), v.regex(/^(States\.ALL$|(?!States\.))/)));
const Comment = v.optional(v.string());

const retrier = v.strictObject({
  ErrorEquals,
  IntervalSeconds: v.optional(v.number(), 1),
  MaxAttempts: v.optional(v.number(), 3),
  BackoffRate: v.optional(v.number(), 2),
  MaxDelaySeconds: v.optional(v.number(), Number.POSITIVE_INFINITY),
  JitterStrategy: v.optional(v.picklist(['FULL', 'NONE'])),
});
/** `ResultPath` names the member of the input that receives the error. Without a path, the error replaces the input. */
const catcher = v.strictObject({
  ErrorEquals,
  ResultPath: v.optional(v.pipe(v.string(), v.regex(/^\$\.\w+$/))),
  Next: v.string(),
});
const transition = { Comment, Next: v.optional(v.string()), End: v.optional(v.boolean()) };
const task = {
  Type: v.literal('Task'),
  Retry: v.optional(v.array(retrier), []),
  Catch: v.optional(v.array(catcher), []),
  ...transition,
};

/** The part of the Amazon States Language that the local cloud supports. */
const definitionSchema = v.strictObject({
  Comment,
  StartAt: v.string(),
  TimeoutSeconds: v.optional(v.number()),
  States: v.record(
    v.string(),
    v.variant('Type', [
      v.strictObject({ ...task, Resource: v.pipe(v.string(), v.includes(':function:')) }),
      v.strictObject({
        ...task,
        Resource: v.literal(lambdaIntegration),
        Parameters: v.strictObject({
          FunctionName: v.string(),
          InvocationType: v.literal('Event'),
          'Payload.$': v.literal('$'),
        }),
      }),
      v.strictObject({ Type: v.literal('Wait'), Seconds: v.number(), ...transition }),
      v.strictObject({ Type: v.literal('Succeed'), Comment }),
    ]),
  ),
});

export type Definition = v.InferOutput<typeof definitionSchema>;
export type Task = Extract<Definition['States'][string], { Type: 'Task' }>;
export type Retrier = v.InferOutput<typeof retrier>;

export interface Machine {
  readonly type: 'STANDARD' | 'EXPRESS';
  readonly definition: Definition;
}

/** @throws Error with the logical ID of a state machine whose definition the local cloud does not support */
export function stateMachinesOf(template: Template): Map<string, Machine> {
  return new Map(
    template.ofType('AWS::StepFunctions::StateMachine').map((resource) => {
      const { DefinitionString, StateMachineType: type = 'STANDARD' } = resource.properties;
      const { success, output, issues } = v.safeParse(definitionSchema, JSON.parse(DefinitionString));
      if (success) return [template.idOf(resource), { type, definition: output }];
      const [issue] = issues;
      throw new Error(
        `${resource.logicalId}: the local cloud does not support ${v.getDotPath(issue)} in DefinitionString. ${issue.message}`,
      );
    }),
  );
}

import type { Properties, Resource } from '../template/resource.ts';
import type { Template } from '../template/template.ts';

/** A statement of a policy. */
export interface Statement {
  /** True for `Allow`, false for `Deny`. */
  readonly allows: boolean;
  readonly actions: readonly string[];
  readonly resources: readonly string[];
  readonly conditions: readonly (readonly [key: string, operator: string, values: readonly string[]])[];
}

/** Returns the policies of the operator, which are the only managed policies of the stack. */
export function operatorPolicies(template: Template): Resource[] {
  return template.ofType('AWS::IAM::ManagedPolicy');
}

/**
 * Returns the name of a function's role, and the `AWS::IAM::Policy` resources that are attached to it. The name is empty if
 * the role is not in the template.
 */
export function policiesOf(
  template: Template,
  { properties }: Resource,
): { role: string; policies: readonly Resource[] } {
  const resource = template
    .ofType('AWS::IAM::Role')
    .find((candidate) => template.arnOf(candidate) === properties.Role);
  const role = resource ? template.idOf(resource) : '';
  const policies = template
    .ofType('AWS::IAM::Policy')
    .filter((policy) => policy.properties.Roles?.includes(role));
  return { role, policies };
}

/**
 * Returns the statements of a policy.
 *
 * @throws Error if a statement lacks an action or a resource, or has an unsupported element, such as `NotAction`
 * @throws Error if a condition has an operator other than `StringEquals` and `StringLike`
 */
export function statementsOf({ logicalId, properties }: Resource): Statement[] {
  return properties.PolicyDocument.Statement.map((statement: Properties) => {
    const { Effect, Action, Resource, Condition = {}, ...others } = statement;
    const unknown = Object.keys(others).filter((name) => name !== 'Sid');
    if (unknown.length > 0)
      throw new Error(`${logicalId}: the local cloud does not support ${unknown.join(', ')} in a statement.`);
    if (!Action || !Resource) throw new Error(`${logicalId}: a statement needs an Action and a Resource.`);
    return {
      allows: Effect === 'Allow',
      actions: [Action].flat(),
      resources: [Resource].flat(),
      conditions: Object.entries<Record<string, string | string[]>>(Condition).flatMap(([operator, keys]) => {
        if (operator !== 'StringEquals' && operator !== 'StringLike')
          throw new Error(`${logicalId}: the local cloud does not support the condition ${operator}.`);
        return Object.entries(keys).map(([key, values]) => [key, operator, [values].flat()] as const);
      }),
    };
  });
}

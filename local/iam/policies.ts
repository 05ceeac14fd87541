import type { Properties, Resource } from '../template/resource.ts';
import type { Template } from '../template/template.ts';

export interface Statement {
  readonly actions: readonly string[];
  readonly resources: readonly string[];
  readonly conditions: readonly (readonly [key: string, values: readonly string[]])[];
}

export function operatorPolicies(template: Template): Resource[] {
  return template.ofType('AWS::IAM::ManagedPolicy');
}

/** `role` is empty if the role is not in the template. */
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

/** @throws Error if a statement contains an unsupported element, such as `Deny`, `NotAction` or a wildcard in an action */
export function statementsOf({ logicalId, properties }: Resource): Statement[] {
  const refuse = (what: string) => {
    throw new Error(`${logicalId}: the local cloud does not support ${what} in a statement.`);
  };
  return properties.PolicyDocument.Statement.map((statement: Properties) => {
    const {
      Sid: _,
      Effect,
      Action,
      Resource,
      Condition: { StringEquals = {}, ...operators } = {},
      ...others
    } = statement;
    if (!Action || !Resource) refuse('a missing Action or Resource');
    const actions = [Action].flat();
    for (const name of Object.keys({ ...others, ...operators })) refuse(name);
    for (const action of actions) if (action.includes('*')) refuse(`the Action ${action}`);
    if (Effect !== 'Allow') refuse(`the Effect ${Effect}`);
    const conditions = Object.entries(StringEquals).map(([key, values]) => [key, [values].flat()]);
    return { actions, resources: [Resource].flat(), conditions };
  });
}

/** In the pattern, `*` matches any text and `?` matches one UTF-16 code unit. */
export function matches(pattern: string, text: string): boolean {
  const source = pattern
    .replace(/[.+^${}()|[\]\\]/g, '\\$&')
    .replaceAll('*', '.*')
    .replaceAll('?', '.');
  return new RegExp(`^${source}$`, 's').test(text);
}

import { cloudFormationFailure } from '../cloudformation/emulator.ts';
import type { AwsCall } from '../endpoint/endpoint.ts';
import { type AwsResponse, jsonError } from '../endpoint/response.ts';
import { log } from '../platform/log.ts';
import { mailFailure } from '../ses/failure.ts';
import { account, type Properties, type Resource, type Template } from '../template/template.ts';
import type { AuthorizationDecision } from './decision-log.ts';
import { type RequiredPermission, requiredPermissionsOf } from './required-permissions.ts';
import { matches } from './wildcards.ts';

/** A statement of a policy, as far as this machine can judge by it. */
interface Statement {
  readonly allows: boolean;
  readonly actions: readonly string[];
  readonly resources: readonly string[];
  readonly conditions: readonly (readonly [key: string, operator: string, values: readonly string[]])[];
}

interface Role {
  readonly name: string;
  readonly statements: readonly Statement[];
}

/**
 * Authorizes the calls of each function by its role in the template, and those of the operator by the managed policies.
 * Refuses what AWS would refuse, so that a missing permission is noticed on this machine.
 */
export class Authorizer {
  private readonly roles: ReadonlyMap<string, Role>;
  private readonly note: (judged: AuthorizationDecision) => void;

  /**
   * @param note is told each need of a function that was looked at
   * @throws Error that names the policy which this machine could not judge by
   */
  constructor(template: Template, note: (judged: AuthorizationDecision) => void = () => {}) {
    this.note = note;
    this.roles = new Map([
      ...template.ofType('AWS::Lambda::Function').map((lambda) => {
        const { role, policies } = policiesOf(template, lambda);
        return [lambda.name, { name: role, statements: policies.flatMap(statementsOf) }] as const;
      }),
      [operator, { name: operator, statements: operatorPolicies(template).flatMap(statementsOf) }],
    ]);
  }

  /** The answer to a call for which its function lacks a permission; undefined for one that may pass. */
  errorFor(call: AwsCall): AwsResponse | undefined {
    const role = this.roles.get(call.caller);
    if (!role) return undefined;
    const needs = requiredPermissionsOf(call).map((need) => this.decide(call.caller, need));
    for (const need of needs) this.note(need);
    const lacking = needs.find(({ allowedBy }) => allowedBy.length === 0);
    if (!lacking) return undefined;
    const { action, resource } = lacking;
    const who = `arn:aws:sts::${account}:assumed-role/${role.name}/${call.caller}`;
    log(`${call.caller} may not ${action} on ${resource}: the template has no statement for it.`);
    return denied(
      call.service,
      `User: ${who} is not authorized to perform: ${action} on resource: ${resource} because no identity-based policy allows the ${action} action`,
    );
  }

  /** Whether a function has a permission, and by what. */
  decide(caller: string, need: RequiredPermission): AuthorizationDecision {
    const statements = this.roles.get(caller)?.statements ?? [];
    const fitting = statements.filter((statement) => fits(statement, need));
    const denied = fitting.some(({ allows }) => !allows);
    const resources = fitting.flatMap((statement) => statement.resources);
    const allowedBy = denied ? [] : resources.filter((pattern) => matches(pattern, need.resource));
    return { caller, ...need, allowedBy };
  }
}

/** The caller that the template's managed policies are for: the operator's command line. */
export const operator = 'operator';

/** Returns the policies of the operator. The stack has no other managed policies. */
export function operatorPolicies(template: Template): Resource[] {
  return template.ofType('AWS::IAM::ManagedPolicy');
}

/** The role of a function, by its name, and the policies of that role. */
export function policiesOf(
  template: Template,
  { properties }: Resource,
): { role: string; policies: readonly Resource[] } {
  const found = template
    .ofType('AWS::IAM::Role')
    .find((resource) => template.arnOf(resource) === properties.Role);
  const role = found ? template.idOf(found) : '';
  const policies = template
    .ofType('AWS::IAM::Policy')
    .filter((policy) => policy.properties.Roles?.includes(role));
  return { role, policies };
}

function fits(
  { actions, resources, conditions }: Statement,
  { action, resource, context }: RequiredPermission,
): boolean {
  return (
    actions.some((pattern) => matches(pattern.toLowerCase(), action.toLowerCase())) &&
    resources.some((pattern) => matches(pattern, resource)) &&
    conditions.every(([key, operator, values]) =>
      values.some((value) =>
        operator === 'StringLike' ? matches(value, context[key] ?? '') : value === context[key],
      ),
    )
  );
}

function statementsOf({ logicalId, properties }: Resource): Statement[] {
  return properties.PolicyDocument.Statement.map((statement: Properties) => {
    const { Effect, Action, Resource, Condition = {}, ...others } = statement;
    const unknown = Object.keys(others).filter((name) => name !== 'Sid');
    if (!Action || !Resource || unknown.length > 0)
      throw new Error(
        `${logicalId}: this machine does not judge by ${unknown.join(', ') || 'half a statement'}.`,
      );
    return {
      allows: Effect === 'Allow',
      actions: [Action].flat(),
      resources: [Resource].flat(),
      conditions: Object.entries<Record<string, string | string[]>>(Condition).flatMap(([operator, keys]) => {
        if (operator !== 'StringEquals' && operator !== 'StringLike')
          throw new Error(`${logicalId}: this machine does not judge by ${operator}.`);
        return Object.entries(keys).map(([key, values]) => [key, operator, [values].flat()] as const);
      }),
    };
  });
}

/** The refusal as each service words it. */
function denied(service: string, message: string): AwsResponse {
  if (service === 'ses') return mailFailure(403, 'AccessDenied', message);
  if (service === 'cloudformation') return cloudFormationFailure(403, 'AccessDenied', message);
  return jsonError(['lambda', 'scheduler'].includes(service) ? 403 : 400, 'AccessDeniedException', message);
}

import type { AwsCall } from '../endpoint/emulator.ts';
import { type AwsResponse, errorResponse, usesQueryProtocol } from '../endpoint/response.ts';
import { log } from '../platform/log.ts';
import { account } from '../template/arns.ts';
import type { Resource } from '../template/resource.ts';
import type { Template } from '../template/template.ts';
import type { AuthorizationDecision } from './decision-log.ts';
import { operatorPolicies, policiesOf, type Statement, statementsOf } from './policies.ts';
import { type RequiredPermission, requiredPermissionsOf } from './required-permissions.ts';
import { matches } from './wildcards.ts';

interface Role {
  readonly name: string;
  readonly statements: readonly Statement[];
  /** The statements that apply to each action that the caller has used, by action. */
  readonly byAction: Map<string, readonly Statement[]>;
}

/** The name of the operator as a caller. The operator has the permissions of the template's managed policies. */
export const operator = 'operator';

/**
 * Authorizes AWS calls. A function has the permissions of its role in the template, and the operator has those of the managed
 * policies. A missing permission therefore causes an error in the local cloud, not only after a deployment. Other
 * callers, such as the administrator, do not need permissions.
 */
export class Authorizer {
  private readonly roles: ReadonlyMap<string, Role>;
  private readonly onDecision: (decision: AuthorizationDecision) => void;

  /**
   * @param onDecision receives each decision about a required permission
   * @throws Error with the policy's logical ID if a policy has an element that the authorizer cannot evaluate
   */
  constructor(template: Template, onDecision: (decision: AuthorizationDecision) => void = () => {}) {
    this.onDecision = onDecision;
    this.roles = new Map([
      ...template.ofType('AWS::Lambda::Function').map((lambda) => {
        const { role, policies } = policiesOf(template, lambda);
        return [lambda.name, roleOf(role, policies)] as const;
      }),
      [operator, roleOf(operator, operatorPolicies(template))],
    ]);
  }

  /**
   * Returns the response to a call whose caller lacks a permission, or undefined if the call is allowed. Passes each decision
   * to `onDecision`.
   *
   * @throws Error if the service of the call is unknown
   */
  errorFor(call: AwsCall): AwsResponse | undefined {
    const role = this.roles.get(call.caller);
    if (!role) return undefined;
    const decisions = requiredPermissionsOf(call).map((permission) => this.decide(call.caller, permission));
    for (const decision of decisions) this.onDecision(decision);
    const denied = decisions.find(({ allowedBy }) => allowedBy.length === 0);
    if (!denied) return undefined;
    const { action, resource } = denied;
    const principal = `arn:aws:sts::${account}:assumed-role/${role.name}/${call.caller}`;
    log(
      `${call.caller} has no permission for ${action} on ${resource}. The policies in the template do not allow it.`,
    );
    return denial(
      call.service,
      `User: ${principal} is not authorized to perform: ${action} on resource: ${resource} because no identity-based policy allows the ${action} action`,
    );
  }

  /** Decides whether a caller has a permission. The decision names the resources of the statements that allow it. */
  decide(caller: string, permission: RequiredPermission): AuthorizationDecision {
    const role = this.roles.get(caller);
    const statements = role ? statementsFor(role, permission.action) : [];
    const applicable = statements.filter((statement) => applies(statement, permission));
    const isDenied = applicable.some(({ allows }) => !allows);
    const resources = applicable.flatMap((statement) => statement.resources);
    const allowedBy = isDenied ? [] : resources.filter((pattern) => matches(pattern, permission.resource));
    return { caller, ...permission, allowedBy };
  }
}

function roleOf(name: string, policies: readonly Resource[]): Role {
  return { name, statements: policies.flatMap(statementsOf), byAction: new Map() };
}

/** Returns the statements of a role that apply to an action. Compares the action with the statements only once. */
function statementsFor({ statements, byAction }: Role, action: string): readonly Statement[] {
  const known = byAction.get(action);
  if (known) return known;
  const found = statements.filter(({ actions }) =>
    actions.some((pattern) => matches(pattern.toLowerCase(), action.toLowerCase())),
  );
  byAction.set(action, found);
  return found;
}

function applies({ resources, conditions }: Statement, { resource, context }: RequiredPermission): boolean {
  return (
    resources.some((pattern) => matches(pattern, resource)) &&
    conditions.every(([key, operator, values]) =>
      values.some((value) =>
        operator === 'StringLike' ? matches(value, context[key] ?? '') : value === context[key],
      ),
    )
  );
}

/** Returns the response to a denied call. The status and the code depend on the service. */
function denial(service: string, message: string): AwsResponse {
  if (usesQueryProtocol(service)) return errorResponse(service, 403, 'AccessDenied', message);
  const status = ['lambda', 'scheduler'].includes(service) ? 403 : 400;
  return errorResponse(service, status, 'AccessDeniedException', message);
}

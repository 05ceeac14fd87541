import type { CfnFunction } from 'aws-cdk-lib/aws-lambda';
import type { RouteName } from '../../lambdas/contract/routes.ts';
import { waitingTimeoutSeconds } from '../../lambdas/contract/waiting.ts';
import { constructsOf } from '../constructs.ts';
import { ServiceFunction } from '../service-function.ts';
import { extension } from './extension.ts';

/** The functions that can wait for an asynchronous bark. They may read barks for other reasons, too. */
const names: ReadonlySet<string> = new Set(['PostBarks', 'GetBark', 'PostLastBark'] satisfies RouteName[]);

export const waiting = extension({
  fields: {},
  defaults: {},
  add(stack, { cancellationWindowSeconds }) {
    for (const lambda of constructsOf(stack, ServiceFunction).filter(({ node }) => names.has(node.id))) {
      (lambda.node.defaultChild as CfnFunction).timeout = waitingTimeoutSeconds;
      lambda.addEnvironment('CANCELLATION_WINDOW_SECONDS', String(cancellationWindowSeconds));
    }
  },
});

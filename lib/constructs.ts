import { Stack } from 'aws-cdk-lib';
import type { Construct } from 'constructs';

/** Returns the constructs of a class that have been created so far in the stack to which a construct belongs. */
export function constructsOf<Type extends Construct>(
  scope: Construct,
  type: abstract new (...parameters: never[]) => Type,
): Type[] {
  return Stack.of(scope)
    .node.findAll()
    .filter((construct): construct is Type => construct instanceof type);
}

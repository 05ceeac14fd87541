import { Stack } from 'aws-cdk-lib';
import type { Construct } from 'constructs';

/** Returns the constructs of a class that exist so far in the stack of a construct. */
export function constructsOf<Type extends Construct>(
  scope: Construct,
  type: abstract new (...parameters: never[]) => Type,
): Type[] {
  return Stack.of(scope)
    .node.findAll()
    .filter((construct): construct is Type => construct instanceof type);
}

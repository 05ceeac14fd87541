import { Stack } from 'aws-cdk-lib';
import type { Construct } from 'constructs';

/** Returns all constructs of a class in the stack of `scope`. Constructs that are created later are not included. */
export function constructsOf<Type extends Construct>(
  scope: Construct,
  type: abstract new (...parameters: never[]) => Type,
): Type[] {
  return Stack.of(scope)
    .node.findAll()
    .filter((construct): construct is Type => construct instanceof type);
}

import { Stack } from 'aws-cdk-lib';
import type { Construct } from 'constructs';

/** Searches the whole stack that contains `scope`. Misses constructs that are created later. */
export function constructsOf<Type extends Construct>(
  scope: Construct,
  type: abstract new (...parameters: never[]) => Type,
): Type[] {
  return Stack.of(scope)
    .node.findAll()
    .filter((construct): construct is Type => construct instanceof type);
}

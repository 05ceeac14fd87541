import { bundle } from '../../lib/bundles.ts';
import { entries } from '../../lib/dog-service-stack.ts';

/** Bundles the functions before the tests begin, so that those which synthesize the stack find nothing left to do. */
export default function bundleOnce(): void {
  bundle(entries);
}

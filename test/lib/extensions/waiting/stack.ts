import { maxWaitSeconds } from '../../../../lambdas/contract/waiting.ts';
import { synthesizeWith } from '../../../support/stack-template.ts';
import { values } from './values.ts';

const stack = synthesizeWith();

test.each(values.longer ?? [])(
  '%s has enough time for the longest wait, but less than API Gateway',
  (name) => {
    const { Timeout } = stack.named('AWS::Lambda::Function', name).properties;
    // After the wait come the last read of the bark and the response, a second for each, and the reserve of two seconds.
    expect(Timeout).toBeGreaterThan(maxWaitSeconds + 1 + 1 + 2);
    expect(Timeout).toBeLessThan(29);
  },
);

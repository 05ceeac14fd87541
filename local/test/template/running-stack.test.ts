import { existsSync, mkdirSync } from 'node:fs';
import { RunningStack } from '../../template/running-stack.ts';
import type { Synthesized } from '../../template/synthesize.ts';
import { Template } from '../../template/template.ts';
import { useTestCloud } from '../support/emulators.ts';

const cloud = useTestCloud();

function stackWith(
  asset: string,
  more: Record<string, { Type: string; Properties?: object }> = {},
): Synthesized {
  mkdirSync(cloud.file(asset), { recursive: true });
  const Resources = {
    GetDog: {
      Type: 'AWS::Lambda::Function',
      Properties: { Timeout: 10 },
      Metadata: { 'aws:cdk:path': 'Stack/GetDog/Resource', 'aws:asset:path': asset },
    },
    ...more,
  };
  return { template: new Template({ Resources }, 'Stack'), directory: cloud.directory };
}

describe('RunningStack.replace', () => {
  test('restores the previous stack in all steps if one step throws', () => {
    const [first, second] = [stackWith('asset.1'), stackWith('asset.2')];
    const stack = new RunningStack(first);
    const served = { before: first, after: first };
    stack.onChange((next) => {
      served.before = next;
    });
    stack.onChange((next) => {
      if (next === second) throw new Error('Review: the local cloud supports only JSONPath.');
      served.after = next;
    });
    expect(() => stack.replace(second)).toThrow('Review: the local cloud supports only JSONPath.');
    for (const one of [served.before, served.after, stack.current]) expect(one).toBe(first);
  });

  test('returns the names of new, changed and removed resources', () => {
    const queue = { Type: 'AWS::SQS::Queue' };
    const stack = new RunningStack(stackWith('asset.1', { Kept: queue, Removed: queue }));
    const changed = stack.replace(stackWith('asset.2', { Kept: queue, Added: queue }));
    expect(changed.sort()).toEqual(['Added', 'GetDog', 'Removed']);
  });

  test('keeps the assets of this stack and of the previous one, and deletes older ones', () => {
    const stack = new RunningStack(stackWith('asset.1'));
    stack.replace(stackWith('asset.2'));
    expect(existsSync(cloud.file('asset.1'))).toBe(true);
    stack.replace(stackWith('asset.3'));
    const kept = ['asset.1', 'asset.2', 'asset.3'].filter((name) => existsSync(cloud.file(name)));
    expect(kept).toEqual(['asset.2', 'asset.3']);
  });
});

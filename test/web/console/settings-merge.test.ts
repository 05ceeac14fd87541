import fc from 'fast-check';
import { settingNames } from '../../../lambdas/contract/dog-settings.ts';
import { firstSettings, newDogOf, type Settings } from '../../../web/console/dogs/settings.ts';
import { isSameSettings, mergeSettings, withFields } from '../../../web/console/dogs/settings-merge.ts';
import { settingValues } from './setting-values.ts';

const settings = settingValues({
  email: fc.constantFrom('', 'rex@example.com', 'max@example.com'),
  owner: fc.constantFrom('', 'mailto:jane@example.com', 'mailto:joe@example.com'),
});

const base = firstSettings;

describe('mergeSettings()', () => {
  test('takes a field that only one side changed', () => {
    const mine = { ...base, email: 'rex@example.com' };
    const theirs: Settings = { ...base, barkHandling: 'async' };
    expect(mergeSettings(base, mine, theirs)).toEqual({
      merged: { ...mine, barkHandling: 'async' },
      conflicts: [],
      taken: ['barkHandling'],
    });
  });

  test('reports a field that both sides changed to different values, and keeps my value', () => {
    const mine = { ...base, email: 'rex@example.com' };
    const theirs = { ...base, email: 'max@example.com' };
    expect(mergeSettings(base, mine, theirs)).toEqual({ merged: mine, conflicts: ['email'], taken: [] });
  });

  test('reports no conflict if both sides made the same change', () => {
    const both = { ...base, email: 'rex@example.com' };
    expect(mergeSettings(base, both, both)).toEqual({ merged: both, conflicts: [], taken: [] });
  });

  test('takes a member that the console does not know from the other side', () => {
    const from = { ...base, 'x-breed': 'Terrier', old: 1 };
    const { old: _, ...kept } = from;
    const theirs: Settings = { ...kept, 'x-breed': 'Poodle', collar: { color: 'red' } };
    const { merged, conflicts, taken } = mergeSettings(from, { ...from, email: 'rex@example.com' }, theirs);
    expect({ conflicts, taken }).toEqual({ conflicts: [], taken: ['x-breed', 'old', 'collar'] });
    const body = { 'x-breed': 'Poodle', collar: { color: 'red' }, email: 'rex@example.com' };
    expect(JSON.parse(JSON.stringify(newDogOf(merged)))).toEqual({ ...newDogOf(base), ...body });
    expect([isSameSettings(from, theirs), isSameSettings(merged, theirs)]).toEqual([false, false]);
  });

  test('gives the same result in either order if there is no conflict, and the same conflicts', () => {
    fc.assert(
      fc.property(settings, settings, settings, (from, mine, theirs) => {
        const [one, other] = [mergeSettings(from, mine, theirs), mergeSettings(from, theirs, mine)];
        expect(one.conflicts).toEqual(other.conflicts);
        const agreed = withFields(other.merged, mine, one.conflicts);
        expect(isSameSettings(one.merged, agreed)).toBe(true);
      }),
    );
  });

  test('loses no change', () => {
    fc.assert(
      fc.property(settings, settings, settings, (from, mine, theirs) => {
        const { merged, conflicts } = mergeSettings(from, mine, theirs);
        for (const name of settingNames) {
          const [was, my, their] = [from, mine, theirs].map((side) => String(side[name]));
          const result = String(merged[name]);
          if (my !== was) expect(result).toBe(my);
          if (their !== was) expect(result === their || conflicts.includes(name)).toBe(true);
          if (my === was && their === was) expect(result).toBe(was);
        }
      }),
    );
  });
});

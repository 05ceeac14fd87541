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
const rex = { ...base, email: 'rex@example.com' };
const max = { ...base, email: 'max@example.com' };
const later: Settings = { ...base, barkHandling: 'async' };

describe('mergeSettings()', () => {
  test.each<[string, Settings, Settings, ReturnType<typeof mergeSettings>]>([
    [
      'takes a field that only one side changed',
      rex,
      later,
      { merged: { ...rex, barkHandling: 'async' }, conflicts: [], taken: ['barkHandling'] },
    ],
    [
      'reports a field that both sides changed, and keeps my value',
      rex,
      max,
      { merged: rex, conflicts: ['email'], taken: [] },
    ],
    [
      'reports no conflict if both sides made the same change',
      rex,
      rex,
      { merged: rex, conflicts: [], taken: [] },
    ],
  ])('%s', (_, mine, theirs, expected) => {
    expect(mergeSettings(base, mine, theirs)).toEqual(expected);
  });

  test('takes a member that the console does not know from the other side', () => {
    const from = { ...base, 'x-breed': 'Terrier', old: 1 };
    const { old: _, ...kept } = from;
    const theirs: Settings = { ...kept, 'x-breed': 'Poodle', collar: { color: 'red' } };
    const { merged, conflicts, taken } = mergeSettings(from, { ...from, email: rex.email }, theirs);
    expect({ conflicts, taken }).toEqual({ conflicts: [], taken: ['x-breed', 'old', 'collar'] });
    const body = { 'x-breed': 'Poodle', collar: { color: 'red' }, email: rex.email };
    expect(JSON.parse(JSON.stringify(newDogOf(merged)))).toEqual({ ...newDogOf(base), ...body });
    expect([isSameSettings(from, theirs), isSameSettings(merged, theirs)]).toEqual([false, false]);
  });

  test('loses no change, and gives the same result in either order except for the conflicts', () => {
    fc.assert(
      fc.property(settings, settings, settings, (from, mine, theirs) => {
        const [{ merged, conflicts }, other] = [
          mergeSettings(from, mine, theirs),
          mergeSettings(from, theirs, mine),
        ];
        expect(conflicts).toEqual(other.conflicts);
        expect(isSameSettings(merged, withFields(other.merged, mine, conflicts))).toBe(true);
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

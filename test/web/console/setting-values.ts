import fc from 'fast-check';
import { mapSettings, type Setting, settingOf } from '../../../lambdas/contract/dog-settings.ts';
import type { Settings } from '../../../web/console/dogs/settings.ts';

/** Returns values that the fields of a form can have, by setting. @param given others for some settings */
export function settingValues(
  given: Readonly<Partial<Record<string, fc.Arbitrary<unknown>>>> = {},
): fc.Arbitrary<Settings> {
  return fc.record(
    mapSettings((name) => given[name] ?? arbitraryOf(settingOf(name))),
  ) as unknown as fc.Arbitrary<Settings>;
}

function arbitraryOf(setting: Setting): fc.Arbitrary<unknown> {
  if (setting.kind === 'list') return fc.subarray([...setting.choices]);
  if (setting.kind === 'choice') return fc.constantFrom(...setting.choices);
  if (setting.kind === 'switch') return fc.boolean();
  return fc.string({ unit: 'grapheme', maxLength: setting.maxLength * 2 });
}

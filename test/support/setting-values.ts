import { isDeepStrictEqual } from 'node:util';
import {
  type ByKind,
  type SettingName,
  settingOf,
  settingTexts,
} from '../../lambdas/contract/dog-settings.ts';

/** Values besides the example, which the rule for an address or for another setting might not allow. */
const others: ByKind<readonly unknown[]> = {
  text: ({ format }) => (format ? [] : ['x']),
  integer: ({ minimum, maximum }) => [minimum, maximum],
  boolean: () => [false, true],
  choice: ({ choices }) => choices,
  choices: ({ choices }) => choices.map((choice) => [choice]),
  texts: () => [['x']],
};

/** Returns a valid value for a setting that differs from a value, if possible. */
export function otherValue(name: SettingName, value: unknown): unknown {
  const setting = settingOf(name);
  const { example } = settingTexts[name];
  const candidates = [example, ...others[setting.kind](setting as never)];
  return candidates.find((one) => !isDeepStrictEqual(one, value)) ?? example;
}

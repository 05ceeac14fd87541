import type { Stack } from 'aws-cdk-lib';
import type * as v from 'valibot';
import type { coreFields } from '../setting-fields.ts';

type SettingsOf<Fields extends v.ObjectEntries> = v.InferOutput<v.ObjectSchema<Fields, undefined>>;

type CoreSettings = SettingsOf<typeof coreFields>;

/**
 * A part that the specification does not require. It consists of a file in this folder, a line in `lib/extensions.ts`, and the
 * data for its tests in `test/lib/extensions`.
 */
interface Extension<Fields extends v.ObjectEntries, Settings = CoreSettings & SettingsOf<Fields>> {
  readonly fields: Fields;
  readonly defaults: SettingsOf<Fields>;
  /** Rules that concern more than one setting. The field is the one that must change. */
  readonly rules?: readonly SettingRule<Settings>[];
  /** Adds the extension to the otherwise complete stack. */
  add(stack: Stack, settings: Settings): void;
}

export interface SettingRule<Settings> {
  readonly field: string;
  readonly message: string;
  holds(settings: Settings): boolean;
}

/** Infers the types of the settings from the fields. */
export function extension<Fields extends v.ObjectEntries>(definition: Extension<Fields>): Extension<Fields> {
  return definition;
}

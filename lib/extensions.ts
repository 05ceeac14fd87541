import type { Stack } from 'aws-cdk-lib';
import { budget } from './extensions/budget.ts'; // @extension budget
import { canary } from './extensions/canary.ts'; // @extension canary
import { events } from './extensions/events.ts'; // @extension events
import type { SettingRule } from './extensions/extension.ts';
import { firewall } from './extensions/firewall.ts'; // @extension firewall
import { waiting } from './extensions/waiting.ts'; // @extension waiting

/** In the order in which they are added to the stack. */
const extensions = [
  events, // @extension events
  firewall, // @extension firewall
  budget, // @extension budget
  canary, // @extension canary
  waiting, // @extension waiting
] as const;

type Member = 'fields' | 'defaults';

/** The members of all extensions in one object, even if there are none. */
type Merged<List, Name extends Member> = List extends readonly [
  infer First extends Record<Name, object>,
  ...infer Others,
]
  ? First[Name] & Merged<Others, Name>
  : Record<never, never>;

function merged<Name extends Member>(name: Name): Merged<typeof extensions, Name> {
  return Object.assign({}, ...all.map((one) => one[name]));
}

/** An extension whose settings are not known here. Its functions take all settings. */
interface AnyExtension {
  readonly fields: object;
  readonly defaults: object;
  readonly rules?: readonly SettingRule<never>[];
  add(stack: Stack, settings: never): void;
}

const all: readonly AnyExtension[] = extensions;

export const extensionFields = merged('fields');
export const extensionDefaults = merged('defaults');
export const extensionRules = all.flatMap(({ rules = [] }) => rules);

export function addExtensions(stack: Stack, settings: object): void {
  for (const one of all) one.add(stack, settings as never);
}

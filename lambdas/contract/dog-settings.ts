import { maxAddressLength } from './email-address.ts';

/**
 * The value of each kind of setting, and its rules. For a kind that is added here, the compiler names each table that lacks it, in
 * the service, the API description, the CLI, the console and the tests.
 */
interface Kinds {
  readonly text: {
    readonly value: string;
    readonly rules: {
      /** In Unicode code points. */
      readonly maxLength: number;
      readonly format?: 'email' | 'uri-reference';
    };
  };
  readonly integer: {
    readonly value: number;
    readonly rules: { readonly minimum: number; readonly maximum: number };
  };
  readonly boolean: { readonly value: boolean; readonly rules: unknown };
  readonly choice: { readonly value: string; readonly rules: { readonly choices: readonly string[] } };
  /** A list of choices. */
  readonly choices: {
    readonly value: readonly string[];
    readonly rules: {
      /** A singular noun. Error messages add an s for the plural. */
      readonly entry: string;
      /** In the order in which a list is stored. */
      readonly choices: readonly string[];
    };
  };
  /** A list of free texts, in the order of the request. */
  readonly texts: {
    readonly value: readonly string[];
    readonly rules: {
      /** A singular noun, as for choices. */
      readonly entry: string;
      /** Of each text, in Unicode code points. */
      readonly maxLength: number;
      readonly maxItems: number;
    };
  };
}

export type Kind = keyof Kinds;

export type Setting<K extends Kind = Kind> = {
  [One in K]: {
    readonly kind: One;
    readonly default?: Kinds[One]['value'];
    /** True if every stored dog has a value. A new setting must be optional, because existing dogs lack it. */
    readonly isAlwaysSet?: true;
  } & Kinds[One]['rules'];
}[K];

/** Call one with `table[setting.kind](setting as never)`: the compiler does not see that both have the same kind. */
export type ByKind<Result> = { readonly [K in Kind]: (setting: Setting<K>) => Result };

/** The texts in the console's form. */
export interface FormTexts<Value> {
  readonly label: string;
  /** Also the value in the API description's examples. */
  readonly example: Value;
  /** For a list of texts, the form adds "One per line." */
  readonly hint?: string;
  readonly choiceHints?: Readonly<Record<Entry<Value> & string, string>>;
}

/** The form's texts, and those of the API description and the CLI. */
interface SettingTexts<Value> extends FormTexts<Value> {
  readonly description: string;
  /** A further requirement on requests, shown after the description. */
  readonly rule?: string;
  readonly option: { readonly value: string; readonly help: string };
}

type Entry<Value> = Value extends readonly (infer One)[] ? One : Value;

/** In the order that all documents use. The texts are separate, to keep them out of the functions' bundles. */
export const dogSettings = {
  email: { kind: 'text', maxLength: maxAddressLength, format: 'email' },
  owner: { kind: 'text', maxLength: 2048, format: 'uri-reference' },
  barkEffects: {
    kind: 'choices',
    entry: 'effect',
    choices: ['emailDog', 'emailOwner', 'count', 'record'],
    default: ['record'],
    isAlwaysSet: true,
  },
  barkHandling: {
    kind: 'choice',
    choices: ['sync', 'async'],
    isAlwaysSet: true,
  },
} as const satisfies Readonly<Record<string, Setting>>;

export const formTexts: { readonly [Name in SettingName]: FormTexts<SettingValue<Name>> } = {
  email: {
    label: 'Email address',
    example: 'rex@example.com',
    hint: 'Required to send mail to the dog.',
  },
  owner: {
    label: 'Owner',
    example: 'mailto:jane@example.com',
    hint: 'A URI reference. To send mail to the owner, a mailto: URI with one address.',
  },
  barkEffects: {
    label: 'What a bark does',
    example: ['count', 'record'],
    choiceHints: {
      emailDog: 'sends mail to the dog',
      emailOwner: 'sends mail to the owner',
      count: 'counts the bark',
      record: 'counts and records the bark',
    },
  },
  barkHandling: {
    label: 'Handling',
    example: 'sync',
    choiceHints: { sync: 'responds after the bark', async: 'responds at once with 202' },
  },
};

type Definitions = typeof dogSettings;

export type SettingName = keyof Definitions;

export const settingNames = Object.keys(dogSettings) as readonly SettingName[];

export function settingOf(name: SettingName): Setting {
  return dogSettings[name];
}

export function mapSettings<Value>(convert: (name: SettingName) => Value): Record<SettingName, Value> {
  return Object.fromEntries(settingNames.map((name) => [name, convert(name)])) as Record<SettingName, Value>;
}

export type SettingValue<Name extends SettingName> = Definitions[Name] extends {
  readonly kind: infer K extends Kind;
  readonly choices: readonly (infer Choice)[];
}
  ? K extends 'choices'
    ? Choice[]
    : Choice
  : Kinds[Definitions[Name]['kind']]['value'];

export type SettingValues = { readonly [Name in SettingName]: SettingValue<Name> };

export type SettingWith<Property extends string> = {
  [Name in SettingName]: Definitions[Name] extends Readonly<Record<Property, unknown>> ? Name : never;
}[SettingName];

export type DogSettings = {
  readonly [Name in SettingWith<'isAlwaysSet'>]: SettingValue<Name>;
} & {
  readonly [Name in Exclude<SettingName, SettingWith<'isAlwaysSet'>>]?: SettingValue<Name> | undefined;
};

type OtherTexts = { readonly [Name in SettingName]: Omit<SettingTexts<unknown>, keyof FormTexts<unknown>> };

// `@__PURE__` lets the bundler omit these texts from the console, which does not use them.
export const settingTexts = /* @__PURE__ */ withFormTexts({
  email: {
    description: "The dog's email address.",
    rule: 'It has at most 64 characters before the @. The effect emailDog requires it.',
    option: { value: 'address', help: 'the email address of the dog' },
  },
  owner: {
    description: 'The owner of the dog, as a URI reference.',
    rule: 'The effect emailOwner requires a mailto: URI with exactly one address and no header fields.',
    option: { value: 'uri', help: 'the owner of the dog, such as mailto:jane@example.com' },
  },
  barkEffects: {
    description:
      'The effects of a bark: emailDog sends mail to the dog, emailOwner sends mail to its owner, count increases the bark count, and record makes the bark a resource with its own URL. The effect record includes count.',
    option: { value: 'list', help: 'any of emailDog, emailOwner, count and record, separated by commas' },
  },
  barkHandling: {
    description:
      'Whether the service responds after the dog has barked (sync), or as soon as it has accepted the bark (async).',
    rule: 'The default is async if barkEffects contains emailOwner, otherwise sync.',
    option: {
      value: 'handling',
      help: 'whether the service responds after the bark (sync) or before it (async)',
    },
  },
});

function withFormTexts(texts: OtherTexts): {
  readonly [Name in SettingName]: SettingTexts<SettingValue<Name>>;
} {
  return mapSettings((name) => ({ ...formTexts[name], ...texts[name] })) as never;
}

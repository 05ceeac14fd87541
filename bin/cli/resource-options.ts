import { InvalidArgumentError, Option } from 'commander';
import {
  mapSettings,
  type SettingName,
  settingOf,
  settingTexts,
} from '../../lambdas/contract/dog-settings.ts';
import { flagOf } from './flag.ts';
import { flag, notEmpty, type OptionOf, parsed } from './option-value.ts';
import { wordsOf } from './setting-values.ts';

const message: OptionOf<string> = () =>
  new Option('--message <text>', "the bark's message, which its email contains");

/** The options of the commands that read and change resources. Those for dogs have the names of the settings. */
export const resourceOptions = {
  ...(mapSettings((name) => () => settingOption(name)) as Readonly<Record<SettingName, OptionOf<string>>>),
  limit: parsed('--limit <number>', 'the maximum number of entries (default: 100)', positive),
  // @extension events {
  type: parsed(
    '--type <type>',
    'only events whose type is this or begins with it, for example dogs.bark',
    notEmpty,
  ),
  dog: parsed('--dog <id>', 'only the events of this dog', notEmpty),
  count: parsed('--count <number>', 'end after this number of events', positive),
  // @extension events }
  user: parsed(
    '--user <name>',
    'act as this user (env: DOGS_USER, and DOGS_PASSWORD for the password)',
    notEmpty,
  ),
  message,
  async: flag('--async', 'accept the bark now, and perform it later'),
  wait: flag('--wait', 'wait until an asynchronous bark has ended'),
  idempotencyKey: parsed(
    '--idempotency-key <key>',
    'make the dog bark only once, even if you repeat the command',
    headerText,
  ),
  /** Unix seconds; 0 means now. */
  next: parsed(
    '--next <time>',
    'the time of the first bark: now (the default), a delay such as 10m, 2h or 1d, or a local time such as 2027-01-01T09:00',
    timeIn,
  ),
  frequency: parsed(
    '--frequency <minutes>',
    'the minutes between barks; without it, the dog barks once',
    minutes,
  ),
};

function settingOption(name: SettingName): Option {
  const { value, help } = settingTexts[name].option;
  const option = new Option(`${flagOf(name)} <${value}>`, help);
  const setting = settingOf(name);
  const words = wordsOf(setting);
  if (!words) return option;
  const { parseArg } = option.choices(words);
  // An empty value removes an optional setting.
  return setting.isAlwaysSet
    ? option
    : option.argParser((text, previous) => (text === '' ? text : parseArg?.(text, previous)));
}

function positive(text: string): number {
  if (/^[1-9]\d{0,5}$/.test(text)) return Number(text);
  throw new InvalidArgumentError('It must be a whole number from 1 to 999999.');
}

function headerText(text: string): string {
  if (/^[ -~]{1,255}$/.test(text)) return text;
  throw new InvalidArgumentError('It must be 1 to 255 printable ASCII characters.');
}

function minutes(text: string): number {
  if (/^\d{1,9}$/.test(text)) return Number(text);
  throw new InvalidArgumentError('It must be a whole number of minutes.');
}

const unitSeconds: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3600, d: 86_400 };

/** Returns Unix seconds. 0 means now. */
function timeIn(text: string): number {
  if (text === 'now') return 0;
  const [, amount, unit = ''] = /^\+?(\d{1,9})([smhd])$/.exec(text) ?? [];
  if (amount) return Math.floor(Date.now() / 1000) + Number(amount) * (unitSeconds[unit] ?? 0);
  if (/^(0|\d{9,11})$/.test(text)) return Number(text);
  // A date without a time is invalid, because JavaScript would read it as UTC instead of local time.
  const [, date = ''] = /^(\d{4}-\d\d-\d\d)[T ]\d\d:\d\d/.exec(text) ?? [];
  const seconds = isDay(date) ? Math.floor(Date.parse(text) / 1000) : Number.NaN;
  if (seconds >= 0) return seconds;
  throw new InvalidArgumentError('It must be now, a delay such as 10m, or a time such as 2027-01-01T09:00.');
}

/** `Date.parse` converts 30 February to a day in March. */
function isDay(date: string): boolean {
  return new Date(Date.parse(date) || 0).toISOString().startsWith(`${date}T`);
}

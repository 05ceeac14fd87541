import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Node } from 'constructs';
import * as v from 'valibot';
import { stageName } from './setting-fields.ts';
import { defaultSettings, Fields, Settings } from './settings.ts';
import { suggestionFor } from './suggestion.ts';

type Values = Readonly<Record<string, unknown>>;

export interface Stage {
  readonly settings: Settings;
  /** The names of the settings in the stage's file. */
  readonly listed: ReadonlySet<string>;
}

/** The message states, for each problem, whether it is in a stage's file or in the option `-c`. */
export class SettingsError extends Error {
  override readonly name = 'SettingsError';
}

const stagesFolder = join(import.meta.dirname, '../stages');

/** Relative to the project's root folder. */
export const fileOf = (stage: string) => `stages/${stage}.json`;

export const stackOf = (stage: string) => `DogService-${stage}`;

/**
 * @param overrides take precedence over the file; strings are read like the values of the option `-c`
 * @throws SettingsError if there is no such stage, or if a setting is invalid or unknown
 */
export function readStage(stage: string, overrides: Values = {}, folder = stagesFolder): Stage {
  const file = stageName.test(stage) ? readStageFile(stage, folder) : {};
  const typed = Object.fromEntries(
    Object.entries(overrides).map(([name, value]) => [name, fromCommandLine(name, value)]),
  );
  const result = v.safeParse(Settings, { ...defaultSettings, ...file, ...typed, stage });
  const placed = (name: string, text: string) =>
    `  ${name === 'stage' || Object.hasOwn(overrides, name) ? '-c' : fileOf(stage)}: ${text}`;
  const invalid = (result.issues ?? []).map((issue) => {
    const name = String(issue.path?.[0].key);
    const values: Values = { ...defaultSettings, ...file, ...overrides, stage };
    return placed(name, `${name} ${issue.message}. Its value is ${JSON.stringify(values[name])}.`);
  });
  const unknown = Object.keys({ ...file, ...overrides })
    .filter((name) => !isSetting(name))
    .map((name) => placed(name, `Unknown setting "${name}".${suggestionFor(name, settingNames)}`));
  const listed = new Set(Object.keys(file));
  if (result.success && unknown.length === 0) return { settings: result.output, listed };
  throw new SettingsError(['Some settings are invalid. Correct them:', ...invalid, ...unknown].join('\n'));
}

/** False for the names that every object inherits, such as `constructor`. */
export const isSetting = (name: string) => Object.hasOwn(Fields.entries, name);

const settingNames = Object.keys(Fields.entries);

/**
 * Returns the settings of the stage in `-c stage=name`; without this option, those of every stage. Other settings in the context
 * take precedence over the stages' files.
 *
 * @throws SettingsError if there are no stages, and in the same cases as `readStage`
 */
export function settingsInContext(node: Node, folder = stagesFolder): Settings[] {
  const { stage, ...context } = node.getAllContext();
  const stages = stage === undefined ? stagesIn(folder) : [String(stage)];
  if (stages.length === 0)
    throw new SettingsError(`There are no stages. Add a file such as ${fileOf('test')}.`);
  return stages.map((name) => readStage(name, settingsAmong(context), folder).settings);
}

/** Removes the CDK's own names: `cli-telemetry`, and names with `:`, `@` or `/`. */
function settingsAmong(context: Values): Values {
  return Object.fromEntries(
    Object.entries(context).filter(([name]) => !/[:@/]/.test(name) && name !== 'cli-telemetry'),
  );
}

function readStageFile(stage: string, folder: string): Values {
  const path = join(folder, `${stage}.json`);
  if (!existsSync(path)) {
    const stages = stagesIn(folder);
    throw new SettingsError(
      `There is no stage "${stage}", because ${fileOf(stage)} does not exist.${suggestionFor(stage, stages)} The stages are: ${stages.join(', ')}.`,
    );
  }
  const { $schema: _, ...settings } = parsed(readFileSync(path, 'utf8'), fileOf(stage));
  if ('stage' in settings)
    throw new SettingsError(
      `${fileOf(stage)}: Delete "stage". The name of the file is the name of the stage.`,
    );
  return settings;
}

function parsed(text: string, file: string): Values {
  let content: unknown;
  try {
    content = JSON.parse(text);
  } catch (error) {
    throw new SettingsError(`${file} is not JSON: ${(error as Error).message}`);
  }
  if (typeof content === 'object' && content !== null && !Array.isArray(content)) return content as Values;
  throw new SettingsError(`${file} must contain a JSON object with settings.`);
}

function stagesIn(folder: string): string[] {
  return readdirSync(folder)
    .filter((file) => file.endsWith('.json') && stageName.test(file.slice(0, -'.json'.length)))
    .map((file) => file.slice(0, -'.json'.length))
    .sort();
}

/**
 * Converts a string from `-c name=value` to the type of the setting's default. Returns text that does not fit that
 * type, and values that are not strings, unchanged.
 */
function fromCommandLine(name: string, value: unknown): unknown {
  if (typeof value !== 'string') return value;
  const example: unknown = (defaultSettings as Values)[name];
  if (typeof example === 'number') return /^[+-]?\d+(\.\d+)?$/.test(value) ? Number(value) : value;
  if (typeof example === 'boolean') return { true: true, false: false }[value] ?? value;
  if (Array.isArray(example)) return value.split(',').filter(Boolean);
  return typeof example === 'object' ? pairsIn(value) : value;
}

/** Returns `{ team: 'dogs', cost: '42' }` for `team=dogs, cost=42`. Other text, and text that repeats a name, stays unchanged. */
function pairsIn(text: string): unknown {
  const pairs = text
    .split(',')
    .map((pair) => pair.trim())
    .filter(Boolean);
  if (!pairs.every((pair) => /^[^=]+=./.test(pair))) return text;
  const values = Object.fromEntries(pairs.map((pair) => pair.split(/=(.*)/s)));
  return Object.keys(values).length === pairs.length ? values : text;
}

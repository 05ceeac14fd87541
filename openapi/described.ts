import * as v from 'valibot';

/** Schemas with a description. */

export const text = (description: string) => v.pipe(v.string(), v.description(description));

export const url = (description: string) => v.pipe(v.string(), v.url(), v.description(description));

export const matching = (pattern: RegExp, description: string) =>
  v.pipe(v.string(), v.regex(pattern), v.description(description));

export const boolean = (description: string) => v.pipe(v.boolean(), v.description(description));

export const integer = (description: string) => v.pipe(v.number(), v.integer(), v.description(description));

export const integerBetween = (least: number, most: number, description: string) =>
  v.pipe(v.number(), v.integer(), v.minValue(least), v.maxValue(most), v.description(description));

export const nullableInteger = (description: string) =>
  v.pipe(v.nullable(v.pipe(v.number(), v.integer())), v.description(description));

export const literal = <const Value extends string>(value: Value, description: string) =>
  v.pipe(v.literal(value), v.description(description));

export const oneOf = <const Values extends readonly string[]>(values: Values, description: string) =>
  v.pipe(v.picklist(values), v.description(description));

export const listOf = <Item extends v.GenericSchema>(item: Item, description: string) =>
  v.pipe(v.array(item), v.description(description));

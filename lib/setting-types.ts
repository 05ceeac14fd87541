import * as v from 'valibot';

export const wholeNumber = (least: number, most: number) =>
  v.pipe(
    v.number('must be a number'),
    v.integer('must be a whole number'),
    v.minValue(least, `must be at least ${least}`),
    v.maxValue(most, `must be at most ${most}`),
  );

/** The description is for editors and `npm start -- --help`. */
export const described = <Schema extends v.GenericSchema>(text: string, schema: Schema) =>
  v.pipe(schema, v.description(text));

import type { Bark } from '../../../lambdas/domain/barks/bark.ts';
import type { Dog } from '../../../lambdas/domain/dogs/dog.ts';
import {
  barkValidators,
  checkExistence,
  checkPreconditions,
  isNotModified,
  preconditionOf,
  validatorsOf,
  weakTag,
} from '../../../lambdas/http/conditional.ts';
import type { Request } from '../../../lambdas/http/request.ts';

const incarnation = '01KAK0XW00ABCDEFGHJKMNPQRS';
const other = '01KAK0XW00ABCDEFGHJKMNPQRT';
const dog = { incarnation, version: 7, lastModified: 1_795_262_400 } as Dog;

/** Returns a request with only the given header fields. */
function requestWith(fields: Record<string, string | undefined>): Request {
  return { header: (name) => fields[name] } as Request;
}

/** Evaluates the preconditions of a GET of a dog, which has the given entity tag and was last modified at noon. */
function evaluate(fields: Record<string, string | undefined>, ETag: string): Promise<boolean> {
  const validators = { ETag, 'Last-Modified': 'Sat, 21 Nov 2026 12:00:00 GMT' };
  return isNotModified(requestWith(fields), validators, async (since) => since >= dog.lastModified);
}

describe('validatorsOf', () => {
  const { ETag, 'Last-Modified': modified } = validatorsOf(dog, { barkCount: 1 });

  test('returns a strong ETag with the state and a digest, and the date of the last write', () => {
    expect(ETag).toMatch(/^"01KAK0XW00ABCDEFGHJKMNPQRS\.7\.[\w-]{12}"$/);
    expect(modified).toBe('Sat, 21 Nov 2026 12:00:00 GMT');
  });

  test('returns the same ETag only for the same representation', () => {
    expect(validatorsOf(dog, { barkCount: 1 }).ETag).toBe(ETag);
    expect(validatorsOf(dog, { barkCount: 2 }).ETag).not.toBe(ETag);
    expect(validatorsOf({ ...dog, version: 8 }, { barkCount: 1 }).ETag).not.toBe(ETag);
  });
});

describe('isNotModified', () => {
  const tag = `"${incarnation}.7.abcdefghijkl"`;

  test.each([
    [tag, true],
    [`W/${tag}`, true],
    ['*', true],
    [' * ', true],
    [`"x", ${tag}`, true],
    [`${tag},"x"`, true],
    [`, ,${tag} ,`, true],
    ['"x"', false],
    ['""', false],
    [`"${incarnation}.7.abcdefghijkm"`, false],
    [`"${incarnation}.8.abcdefghijkl"`, false],
  ])('returns, for If-None-Match: %s, the value %s', async (field, notModified) => {
    expect(await evaluate({ 'If-None-Match': field }, tag)).toBe(notModified);
  });

  test('returns false without a precondition', async () => {
    expect(await evaluate({}, tag)).toBe(false);
  });
});

describe('isNotModified, with date preconditions or If-Match,', () => {
  const tag = `"${incarnation}.7.abcdefghijkl"`;
  const [before, at, after] = ['11:59:59', '12:00:00', '12:00:01'].map(
    (clock) => `Sat, 21 Nov 2026 ${clock} GMT`,
  );

  test.each<[string, Record<string, string | undefined>, boolean]>([
    ['If-Modified-Since with Last-Modified', { 'If-Modified-Since': at }, true],
    ['If-Modified-Since with a later date', { 'If-Modified-Since': after }, true],
    ['If-Modified-Since with an earlier date', { 'If-Modified-Since': before }, false],
    ['If-Modified-Since with an invalid date', { 'If-Modified-Since': 'now' }, false],
    [
      'If-Modified-Since and another tag in If-None-Match',
      { 'If-Modified-Since': at, 'If-None-Match': '"x"' },
      false,
    ],
    [
      'an earlier If-Modified-Since and the tag in If-None-Match',
      { 'If-Modified-Since': before, 'If-None-Match': tag },
      true,
    ],
    ['If-Match with the tag', { 'If-Match': tag }, false],
    ['If-Match: *', { 'If-Match': '*' }, false],
    ['If-Unmodified-Since with Last-Modified', { 'If-Unmodified-Since': at }, false],
    ['If-Unmodified-Since with an invalid date', { 'If-Unmodified-Since': 'yesterday' }, false],
    [
      'an earlier If-Unmodified-Since and the tag in If-Match',
      { 'If-Unmodified-Since': before, 'If-Match': tag },
      false,
    ],
    [
      'If-Unmodified-Since with Last-Modified and the tag in If-None-Match',
      { 'If-Unmodified-Since': at, 'If-None-Match': tag },
      true,
    ],
  ])('evaluates %s as RFC 9110 requires', async (_, fields, expected) => {
    expect(await evaluate(fields, tag)).toBe(expected);
  });

  test.each<[string, Record<string, string | undefined>]>([
    ['If-Match with another tag', { 'If-Match': '"x"' }],
    ['If-Match with the tag as a weak one', { 'If-Match': `W/${tag}` }],
    ['If-Match with another tag and If-None-Match with the tag', { 'If-Match': '"x"', 'If-None-Match': tag }],
    ['If-Unmodified-Since with an earlier date', { 'If-Unmodified-Since': before }],
  ])('throws a problem with status 412 for %s', async (_, fields) => {
    await expect(evaluate(fields, tag)).rejects.toMatchObject({ status: 412 });
  });
});

describe('preconditionOf', () => {
  test('returns no precondition without header fields', () => {
    expect(preconditionOf(requestWith({}))).toEqual({});
  });

  test.each<[string, unknown]>([
    ['*', 'any'],
    [` *`, 'any'],
    [`"${incarnation}.7.abcdefghijkl"`, [{ incarnation, version: 7 }]],
    [
      `"${incarnation}.7.x", "${other}.12.y"`,
      [
        { incarnation, version: 7 },
        { incarnation: other, version: 12 },
      ],
    ],
    ['"of-another-service"', []],
    [`"${incarnation}.7"`, []],
    [`"${incarnation}.x.y"`, []],
    [`"x${incarnation}.7.y"`, []],
    [`"${incarnation}.1234567890123456.y"`, []],
    ['""', []],
  ])('returns the states in If-Match and If-None-Match: %s', (field, states) => {
    expect(preconditionOf(requestWith({ 'If-Match': field }))).toEqual({ match: states });
    expect(preconditionOf(requestWith({ 'If-None-Match': field }))).toEqual({ noneMatch: states });
  });

  test('returns both for If-Match together with If-None-Match', () => {
    const fields = { 'If-Match': '*', 'If-None-Match': `"${incarnation}.7.x"` };
    expect(preconditionOf(requestWith(fields))).toEqual({
      match: 'any',
      noneMatch: [{ incarnation, version: 7 }],
    });
  });

  test.each<[string, Record<string, string>, unknown]>([
    [
      'a time for a date',
      { 'If-Unmodified-Since': 'Sat, 21 Nov 2026 12:00:00 GMT' },
      { unmodifiedSince: 1_795_262_400 },
    ],
    ['nothing for a value that is not a date', { 'If-Unmodified-Since': '2026-11-21' }, {}],
    [
      'nothing for a date together with If-Match',
      { 'If-Unmodified-Since': 'Sat, 21 Nov 2026 12:00:00 GMT', 'If-Match': '*' },
      { match: 'any' },
    ],
  ])('returns, for If-Unmodified-Since, %s', (_, fields, expected) => {
    expect(preconditionOf(requestWith(fields))).toEqual(expected);
  });

  test('compares tags strongly for If-Match and weakly for If-None-Match', () => {
    const field = `W/"${incarnation}.7.x"`;
    expect(preconditionOf(requestWith({ 'If-Match': field }))).toEqual({ match: [] });
    expect(preconditionOf(requestWith({ 'If-None-Match': field }))).toEqual({
      noneMatch: [{ incarnation, version: 7 }],
    });
  });
});

test('isNotModified accepts a tag with bytes outside ASCII', async () => {
  expect(await evaluate({ 'If-None-Match': '"\u00e4"' }, '"\u00e4"')).toBe(true);
});

describe('barkValidators', () => {
  const bark = { id: `a${incarnation}`, status: 'pending' } as Bark;

  test('returns a strong ETag that depends on the representation', () => {
    const tagOf = (representation: object) => barkValidators(bark, representation).ETag;
    expect(tagOf({ status: 'pending' })).toMatch(/^"[\w-]{12}"$/);
    expect(tagOf({ status: 'pending' })).toBe(tagOf({ status: 'pending' }));
    expect(tagOf({ status: 'pending' })).not.toBe(tagOf({ status: 'cancelled' }));
  });

  test('returns the time of the acceptance, only for a pending bark', () => {
    expect(barkValidators(bark, {})).toHaveProperty('Last-Modified', 'Fri, 21 Nov 2025 10:56:28 GMT');
    for (const status of ['complete', 'failed', 'cancelled'] as const)
      expect(barkValidators({ ...bark, status }, {})).not.toHaveProperty('Last-Modified');
  });
});

test('weakTag returns a weak tag that depends on each part', () => {
  const tags = [weakTag({}, {}), weakTag({}, { Link: 'x' }), weakTag({ x: 1 }, {})].map(({ ETag }) => ETag);
  expect(new Set(tags).size).toBe(3);
  for (const tag of tags) expect(tag).toMatch(/^W\/"[\w-]{12}"$/);
});

describe('The preconditions of a request', () => {
  const validators = { ETag: '"a"', 'Last-Modified': 'Sat, 21 Nov 2026 12:00:00 GMT' };
  const weak = { ETag: 'W/"a"' };
  const early = { 'If-Unmodified-Since': 'Sat, 21 Nov 2026 11:59:59 GMT' };

  test.each([
    [{}, validators],
    [{ 'If-Match': '"a"' }, validators],
    [{ 'If-Match': '"a"', ...early }, validators],
    [{ 'If-Match': '*' }, {}],
    [{ 'If-None-Match': '"b"' }, validators],
    [{ 'If-None-Match': '"a"' }, {}],
    [{ 'If-None-Match': '*' }, undefined],
    [early, {}],
    [early, undefined],
    [{ 'If-Modified-Since': 'Sat, 21 Nov 2026 12:00:00 GMT' }, validators],
  ])('%j are true for the validators %j', (fields: Record<string, string>, current) => {
    expect(() => checkPreconditions(requestWith(fields), current)).not.toThrow();
  });

  test.each([
    [{ 'If-Match': '"b"' }, validators],
    [{ 'If-Match': 'W/"a"' }, validators],
    [{ 'If-Match': '"a"' }, weak],
    [{ 'If-Match': 'W/"a"' }, weak],
    [{ 'If-Match': '"a"' }, {}],
    [{ 'If-Match': '*' }, undefined],
    [{ 'If-None-Match': '*' }, {}],
    [{ 'If-None-Match': '"a"' }, weak],
    [{ 'If-Match': '"a"', 'If-None-Match': '"a"' }, validators],
    [early, validators],
  ])('%j are false for the validators %j', (fields: Record<string, string>, current) => {
    expect(() => checkPreconditions(requestWith(fields), current)).toThrow(
      expect.objectContaining({ status: 412 }),
    );
  });

  test('of a GET of a resource without a date ignore all dates', async () => {
    const date = 'Sat, 21 Nov 2026 12:00:00 GMT';
    const fields = { 'If-Unmodified-Since': date, 'If-Modified-Since': date };
    expect(await isNotModified(requestWith(fields), weak)).toBe(false);
  });

  test('of a GET compare If-Modified-Since with Last-Modified by default', async () => {
    const since = (date: string) => isNotModified(requestWith({ 'If-Modified-Since': date }), validators);
    expect(await since('Sat, 21 Nov 2026 12:00:00 GMT')).toBe(true);
    expect(await since('Sat, 21 Nov 2026 11:59:59 GMT')).toBe(false);
  });

  test.each<[string, Record<string, string>, number]>([
    ['a tag', { 'If-None-Match': '"a"' }, 0],
    ['no precondition', {}, 0],
    ['*', { 'If-None-Match': ' * ' }, 1],
  ])('of a resource without validators read it only for *: with %s', async (_, fields, reads) => {
    const exists = jest.fn(async () => false);
    await checkExistence(requestWith(fields), exists);
    expect(exists).toHaveBeenCalledTimes(reads);
  });

  test.each([
    ['If-Match', false],
    ['If-None-Match', true],
  ])('with %s: * are false if the resource exists: %s', async (name, isThere) => {
    const check = checkExistence(requestWith({ [name]: '*' }), async () => isThere);
    await expect(check).rejects.toMatchObject({ status: 412 });
  });
});

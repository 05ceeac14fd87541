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
const tag = `"${incarnation}.7.abcdefghijkl"`;
const [before = '', at = ''] = ['11:59:59', '12:00:00'].map((clock) => `Sat, 21 Nov 2026 ${clock} GMT`);
const noon = 1_795_262_400;

type Fields = Readonly<Record<string, string>>;

function requestWith(fields: Fields): Request {
  return { header: (name) => fields[name], context: { now: noon * 1000 } } as Request;
}

describe('isNotModified', () => {
  const evaluate = (fields: Fields, ETag = tag) =>
    isNotModified(requestWith(fields), { ETag, 'Last-Modified': at });

  test.each<[Fields, boolean]>([
    [{ 'If-None-Match': `W/${tag}` }, true],
    [{ 'If-None-Match': ' * ' }, true],
    [{ 'If-None-Match': tag.replace('l"', 'm"') }, false],
    [{ 'If-Modified-Since': at }, true],
    [{ 'If-Modified-Since': before }, false],
    [{ 'If-Modified-Since': 'now' }, false],
    [{ 'If-Modified-Since': 'Sun, 06 Nov 2033 08:49:99 GMT' }, false],
    [{ 'If-Modified-Since': 'Sun, 06 Nov 2033 08:49:60 GMT' }, true],
    [{ 'If-Modified-Since': before, 'If-None-Match': tag }, true],
    [{ 'If-Unmodified-Since': at }, false],
    [{ 'If-Unmodified-Since': 'yesterday' }, false],
    [{ 'If-Unmodified-Since': before, 'If-Match': tag }, false],
    [{ 'If-Unmodified-Since': at, 'If-None-Match': tag }, true],
  ])('evaluates %j as RFC 9110 requires: %s', async (fields, expected) => {
    expect(await evaluate(fields)).toBe(expected);
  });

  test.each<[Fields]>([
    [{ 'If-Match': `W/${tag}` }],
    [{ 'If-Match': '"x"', 'If-None-Match': tag }],
    [{ 'If-Unmodified-Since': before }],
  ])('throws a problem with status 412 for %j', async (fields) => {
    await expect(evaluate(fields)).rejects.toMatchObject({ status: 412 });
  });

  test('accepts a tag with bytes outside ASCII', async () => {
    expect(await evaluate({ 'If-None-Match': '"\u00e4"' }, '"\u00e4"')).toBe(true);
  });
});

describe('preconditionOf', () => {
  test.each<[string, unknown]>([
    [' *', 'any'],
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

  test.each<[Fields, object]>([
    [{}, {}],
    [{ 'If-Unmodified-Since': at }, { unmodifiedSince: noon }],
    [{ 'If-Unmodified-Since': '2026-11-21' }, {}],
    [{ 'If-Unmodified-Since': 'Sat Nov 21 11:59:60 2026' }, { unmodifiedSince: noon }],
    [{ 'If-Unmodified-Since': 'Saturday, 21-Nov-26 12:00:00 GMT' }, { unmodifiedSince: noon }],
    [{ 'If-Unmodified-Since': at, 'If-Match': '*' }, { match: 'any' }],
    // Tags are compared strongly for If-Match and weakly for If-None-Match.
    [
      { 'If-Match': `W/${tag}`, 'If-None-Match': `W/${tag}` },
      { match: [], noneMatch: [{ incarnation, version: 7 }] },
    ],
  ])('returns for %j the precondition %j', (fields, expected) => {
    expect(preconditionOf(requestWith(fields))).toEqual(expected);
  });
});

test('validatorsOf returns a strong ETag with the state of the dog and a digest of the representation', () => {
  const dog = { incarnation, version: 7, lastModified: noon } as Dog;
  const tags = [1, 2].map((barkCount) => validatorsOf(dog, { barkCount }).ETag);
  expect(new Set(tags).size).toBe(2);
  for (const one of tags) expect(one).toMatch(/^"01KAK0XW00ABCDEFGHJKMNPQRS\.7\.[\w-]{12}"$/);
});

test('barkValidators returns the time of the acceptance, only for a pending bark', () => {
  const bark = { id: `a${incarnation}`, status: 'pending' } as Bark;
  expect(barkValidators(bark, {})).toHaveProperty('Last-Modified', 'Fri, 21 Nov 2025 10:56:28 GMT');
  for (const status of ['complete', 'failed', 'cancelled'] as const)
    expect(barkValidators({ ...bark, status }, {})).not.toHaveProperty('Last-Modified');
});

test('weakTag returns a weak tag that depends on each part', () => {
  const tags = [weakTag({}, {}), weakTag({}, { Link: 'x' }), weakTag({ x: 1 }, {})].map(({ ETag }) => ETag);
  expect(new Set(tags).size).toBe(3);
  for (const one of tags) expect(one).toMatch(/^W\/"[\w-]{12}"$/);
});

describe('checkPreconditions', () => {
  const validators = { ETag: '"a"', 'Last-Modified': at };
  const weak = { ETag: 'W/"a"' };
  const early = { 'If-Unmodified-Since': before };

  test.each<[Fields, object | undefined]>([
    [{}, validators],
    [{ 'If-Match': '"a"', ...early }, validators],
    [{ 'If-Match': '*' }, {}],
    [{ 'If-None-Match': '"b"' }, validators],
    [{ 'If-None-Match': '*' }, undefined],
    [early, undefined],
  ])('accepts %j for the validators %j', (fields, current) => {
    expect(() => checkPreconditions(requestWith(fields), current)).not.toThrow();
  });

  test.each<[Fields, object | undefined]>([
    [{ 'If-Match': '"a"' }, weak],
    [{ 'If-Match': '"a"' }, undefined],
    [{ 'If-Match': '*' }, undefined],
    [{ 'If-None-Match': '*' }, {}],
    [{ 'If-None-Match': '"a"' }, weak],
    [early, validators],
  ])('refuses %j for the validators %j', (fields, current) => {
    const refusal = expect.objectContaining({ status: 412 });
    expect(() => checkPreconditions(requestWith(fields), current)).toThrow(refusal);
  });
});

test.each<[Fields, number]>([
  [{ 'If-None-Match': '"a"' }, 0],
  [{}, 0],
  [{ 'If-None-Match': ' * ' }, 1],
])(
  'checkExistence reads a resource without validators only for *: with %j, %i times',
  async (fields, reads) => {
    const exists = jest.fn(async () => false);
    await checkExistence(requestWith(fields), exists);
    expect(exists).toHaveBeenCalledTimes(reads);
  },
);

import type { Dog } from '../../../lambdas/domain/dog.ts';
import { isFresh, preconditionOf, validatorsOf } from '../../../lambdas/http/conditional.ts';
import { Problem } from '../../../lambdas/http/problem.ts';
import type { Request } from '../../../lambdas/http/request.ts';

const life = '01KAK0XW00ABCDEFGHJKMNPQRS';
const other = '01KAK0XW00ABCDEFGHJKMNPQRT';
const dog = { life, version: 7, lastModified: 1_795_262_400 } as Dog;

/** A request with these header fields, and nothing else. */
function requestWith(fields: Record<string, string>): Request {
  return { header: (name) => fields[name] } as Request;
}

describe('The validators of a dog', () => {
  const { ETag, 'Last-Modified': modified } = validatorsOf(dog, { barkCount: 1 });

  test('are a strong tag of its state with a digest, and the date of its last write', () => {
    expect(ETag).toMatch(/^"01KAK0XW00ABCDEFGHJKMNPQRS\.7\.[\w-]{12}"$/);
    expect(modified).toBe('Sat, 21 Nov 2026 12:00:00 GMT');
  });

  test('are the same for the same representation, and others for another', () => {
    expect(validatorsOf(dog, { barkCount: 1 }).ETag).toBe(ETag);
    expect(validatorsOf(dog, { barkCount: 2 }).ETag).not.toBe(ETag);
    expect(validatorsOf({ ...dog, version: 8 }, { barkCount: 1 }).ETag).not.toBe(ETag);
  });
});

describe('A client has a representation already', () => {
  const tag = `"${life}.7.abcdefghijkl"`;

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
    [`"${life}.7.abcdefghijkm"`, false],
    [`"${life}.8.abcdefghijkl"`, false],
  ])('if If-None-Match is %s: %s', (field, fresh) => {
    expect(isFresh(requestWith({ 'If-None-Match': field }), tag)).toBe(fresh);
  });

  test('not if there is no If-None-Match', () => {
    expect(isFresh(requestWith({ 'If-Match': tag }), tag)).toBe(false);
  });
});

describe('What is demanded of a dog', () => {
  test('is nothing without a condition', () => {
    expect(preconditionOf(requestWith({}))).toEqual({});
  });

  test.each<[string, unknown]>([
    ['*', 'any'],
    [` *`, 'any'],
    [`"${life}.7.abcdefghijkl"`, [{ life, version: 7 }]],
    [
      `"${life}.7.x", "${other}.12.y"`,
      [
        { life, version: 7 },
        { life: other, version: 12 },
      ],
    ],
    ['"of-another-service"', []],
    [`"${life}.7"`, []],
    [`"${life}.x.y"`, []],
    [`"x${life}.7.y"`, []],
    [`"${life}.1234567890123456.y"`, []],
    ['""', []],
  ])('by If-Match and If-None-Match: %s', (field, states) => {
    expect(preconditionOf(requestWith({ 'If-Match': field }))).toEqual({ match: states });
    expect(preconditionOf(requestWith({ 'If-None-Match': field }))).toEqual({ noneMatch: states });
  });

  test('may be both', () => {
    const fields = { 'If-Match': '*', 'If-None-Match': `"${life}.7.x"` };
    expect(preconditionOf(requestWith(fields))).toEqual({ match: 'any', noneMatch: [{ life, version: 7 }] });
  });

  test('is compared strongly by If-Match, and weakly by If-None-Match', () => {
    const field = `W/"${life}.7.x"`;
    expect(preconditionOf(requestWith({ 'If-Match': field }))).toEqual({ match: [] });
    expect(preconditionOf(requestWith({ 'If-None-Match': field }))).toEqual({
      noneMatch: [{ life, version: 7 }],
    });
  });
});

describe('What is no list of entity tags is refused, and the field named', () => {
  test.each(['abc', '', '"a" "b"', '"a', 'w/"a"', '"a"b', '**', '*, "a"', '"a\tb"', '"a\u0000"', '"ä€"'])(
    '%j',
    (field) => {
      for (const name of ['If-Match', 'If-None-Match'])
        expect(() => preconditionOf(requestWith({ [name]: field }))).toThrow(
          new Problem(
            400,
            `${name} must be * or a list of entity tags in double quotes, as ETag gives them.`,
          ),
        );
      expect(() => isFresh(requestWith({ 'If-None-Match': field }), '"x"')).toThrow(/^If-None-Match must be/);
    },
  );

  test('but bytes beyond ASCII may stand in a tag', () => {
    expect(isFresh(requestWith({ 'If-None-Match': '"\u00e4"' }), '"\u00e4"')).toBe(true);
  });
});

import fc from 'fast-check';
import { jsonSyntaxError } from '../../../lambdas/http/json-syntax.ts';

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

describe('jsonSyntaxError', () => {
  test.each([
    ['{\r\n"next" 0}', 'unexpected "0" at line 2, column 8'],
    ['{"next', 'unexpected end of input at line 1, column 7'],
    ['{next:0}', 'unexpected "n" at line 1, column 2'],
    ["{'next':0}", 'unexpected "\'" at line 1, column 2'],
    ['{"next":0 "frequency":1}', "unexpected '\"' at line 1, column 11"],
    ['{"🐶":x}', 'unexpected "x" at line 1, column 6'],
    ['{"next":01}', 'unexpected "1" at line 1, column 10'],
    ['{"next":1.}', 'unexpected "." at line 1, column 10'],
    ['{"next":NaN}', 'unexpected "N" at line 1, column 9'],
    ['["a\\x"]', 'unexpected "\\" at line 1, column 4'],
    ['["a\nb"]', 'unexpected U+000A at line 1, column 4'],
    ['[1,]', 'unexpected "]" at line 1, column 4'],
  ])('describes the error in %j', (text, description) => {
    expect(jsonSyntaxError(text)).toBe(description);
  });

  test('returns undefined for every valid JSON text', () => {
    const json = fc.oneof(
      fc.json(),
      fc.jsonValue().map((value) => JSON.stringify(value, null, 2)),
    );
    fc.assert(fc.property(json, (text) => jsonSyntaxError(text) === undefined));
  });

  test('finds an error if and only if JSON.parse does', () => {
    const characters = fc.constantFrom(
      ...'{}[]:,"\\-0123.eE+tfnu \n\t\r',
      'true',
      'null',
      '\u0001',
      '\u007f',
      '\u0085',
      'é',
    );
    const soup = fc.array(characters, { maxLength: 12 }).map((parts) => parts.join(''));
    const cut = fc.tuple(fc.json(), fc.nat()).map(([text, at]) => text.slice(0, at % (text.length + 1)));
    const changed = fc
      .tuple(fc.json(), fc.nat(), characters)
      .map(
        ([text, at, character]) =>
          text.slice(0, at % text.length) + character + text.slice((at % text.length) + 1),
      );
    fc.assert(
      fc.property(fc.oneof(soup, cut, changed), (text) => {
        expect(jsonSyntaxError(text) === undefined).toBe(isJson(text));
      }),
      { numRuns: 2_000 },
    );
  });

  test('reads a text that is nested more deeply than the call stack allows', () => {
    expect(jsonSyntaxError('['.repeat(60_000))).toBe('unexpected end of input at line 1, column 60001');
  });

  test('reads a long string without reaching a limit of regular expressions', () => {
    expect(jsonSyntaxError(`"${'é"'.repeat(1)}${'x'.repeat(60_000)}`)).toBe(
      'unexpected "x" at line 1, column 4',
    );
    expect(jsonSyntaxError(`"${'x\\n'.repeat(20_000)}`)).toBe(
      'unexpected end of input at line 1, column 60002',
    );
  });
});

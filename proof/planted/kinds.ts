/** A kind of fault, and the lines of code into which it can be planted. */
export interface Kind {
  readonly name: string;
  /** A glob pattern of the files to change. */
  readonly files: string;
  /** Returns the line with the fault, or the same line if the fault cannot be planted into it. */
  readonly plant: (line: string) => string;
}

/** Each prefix of a key, and another prefix of the same table. */
const otherPrefix = {
  b: 'a',
  a: 'd',
  d: 'b',
  m: 't',
  t: 'm',
  k: 'm',
  o: 'b',
  u: 'c',
  c: 'g',
  g: 'u',
  j: 'u',
};

const all = '{lambdas,lib,local}/**/*.ts';

export const kinds: readonly Kind[] = [
  {
    name: 'a dropped condition',
    files: 'lambdas/domain/**/*.ts',
    plant: (line) => line.replace(/(xpression: '[^']+) AND [^']+(?=')/, '$1'),
  },
  {
    name: 'an off-by-one',
    files: all,
    plant: (line) =>
      line.replace(/ (<=?|>=?) (?=[\w(.]+[^>]*$)/, (_, comparison: string) =>
        comparison.endsWith('=') ? ` ${comparison.slice(0, 1)} ` : ` ${comparison}= `,
      ),
  },
  {
    name: 'a negated condition',
    files: all,
    plant: (line) => line.replace(/^(\s+(?:\} else )?if \()(.+)(\)(?: [\w{].*)?)$/, '$1!($2)$3'),
  },
  {
    name: 'a missing check',
    files: all,
    plant: (line) => line.replace(/^\s+if \(.+\) (?:return|throw|continue)\b.*;$/, ''),
  },
  {
    name: 'a missing statement',
    files: all,
    plant: (line) => line.replace(/^\s+(?:await )?(?!super)\w+(?:\.\w+)*\(.*\);$/, ''),
  },
  {
    name: 'another error',
    files: 'local/**/*.ts',
    plant: (line) => line.replace(/'\w+Exception'/, "'OtherException'"),
  },
  {
    name: 'another property of a resource',
    files: 'lib/**/*.ts',
    plant: (line) =>
      line
        .replace(/: (true|false),$/, (_, value: string) => `: ${value !== 'true'},`)
        .replace(/(Duration\.\w+\()(\d+)\)/, '$11$2)'),
  },
  {
    name: 'a missing action of a role',
    files: '{lambdas/contract/routes.ts,lib/**/*.ts}',
    plant: (line) => line.replace(/(\[)'(?:\w+:)?[A-Z][a-z]\w+', /, '$1'),
  },
  {
    name: 'a forgotten await',
    files: all,
    plant: (line) => line.replace(/^(\s+)await (\w+\(.*[^,])$/, '$1void $2'),
  },
  {
    name: 'a wrong status',
    files: all,
    plant: (line) => line.replace(/(status: [2-5]\d)\d/, '$19'),
  },
  {
    name: 'a lost header',
    files: '{lambdas,local}/**/*.ts',
    plant: (line) => line.replace(/^\s+(?:'[A-Z]\w*-[A-Z][\w-]+'|Location|Vary|ETag|Allow): [^{]+,$/, ''),
  },
  {
    name: 'a swapped prefix of a key',
    files: 'lambdas/domain/*/keys.ts',
    plant: (line) =>
      line.replace(/'([a-z])#'/, (_, letter: keyof typeof otherPrefix) => `'${otherPrefix[letter]}#'`),
  },
  {
    name: 'a removed retry',
    files: all,
    plant: (line) =>
      line.replace(/(maxAttempts: )(?!1,)[^,}]+/, '$11').replace(/(retryAttempts: )\d+/, '$10'),
  },
  {
    name: 'an unescaped string in the console',
    files: 'web/**/*.tsx',
    plant: (line) =>
      line.replace(/>\{(\w+(?:\.\w+)*)\}</, '><i dangerouslySetInnerHTML={{ __html: String($1) }} /><'),
  },
];

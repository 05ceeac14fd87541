/** A kind of fault, and the lines of code into which it can be planted. */
export interface Kind {
  readonly name: string;
  /** A glob pattern of the files to change. */
  readonly files: string;
  /** Returns the line with the fault, or the same line if the fault cannot be planted into it. */
  readonly plant: (line: string) => string;
}

/** Each prefix of a key, and another prefix of the same table. */
const otherPrefix = { b: 'a', a: 'd', d: 'b', m: 't', t: 'm', k: 'm', u: 'c', c: 'g', g: 'u', j: 'u' };

export const kinds: readonly Kind[] = [
  {
    name: 'a dropped condition',
    files: 'lambdas/domain/**/*.ts',
    plant: (line) => line.replace(/(xpression: '[^']+) AND [^']+(?=')/, '$1'),
  },
  {
    name: 'an off-by-one in a deadline',
    files: 'lambdas/domain/**/*.ts',
    plant: (line) =>
      /deadline|leaseEnds/i.test(line)
        ? line.replace(/ (<=|>) /, (comparison) => (comparison === ' > ' ? ' >= ' : ' < '))
        : line,
  },
  {
    name: 'a missing action of a role',
    files: 'lambdas/contract/routes.ts',
    plant: (line) => line.replace(/(: \[)'[A-Z]\w+', /, '$1'),
  },
  {
    name: 'a forgotten await',
    files: 'lambdas/{api,domain,http,jobs}/**/*.ts',
    plant: (line) => line.replace(/^(\s+)await (\w+\(.*[^,])$/, '$1void $2'),
  },
  {
    name: 'a wrong status',
    files: 'lambdas/{api,contract,http}/**/*.ts',
    plant: (line) => line.replace(/(status: [2-5]\d)\d/, '$19'),
  },
  {
    name: 'a lost header',
    files: 'lambdas/{api,http}/**/*.ts',
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
    files: '{lambdas,lib}/**/*.ts',
    plant: (line) =>
      line.replace(/(maxAttempts: )(?!1,)[^,}]+/, '$11').replace(/(retryAttempts: )\d+/, '$10'),
  },
  {
    name: 'a skipped step of the purge',
    files: 'lambdas/domain/removal/purge.ts',
    plant: (line) =>
      line
        .replace(/^\s+if \(schedule\) await .*$/, '')
        .replace('while (after !== undefined)', 'while (false)')
        .replace(/^\s+total \+= page.deleted;$/, ''),
  },
  {
    name: 'an unescaped string in the console',
    files: 'web/**/*.tsx',
    plant: (line) =>
      line.replace(/>\{(\w+(?:\.\w+)*)\}</, '><i dangerouslySetInnerHTML={{ __html: String($1) }} /><'),
  },
];

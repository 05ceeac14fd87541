import { dirname, join } from 'node:path';
import { checkPages, files, pages, targetsIn, textOf } from './support/pages.ts';
import { withRemedy } from './support/remedy.ts';

// The tests of proof/ check its pages and the links to them.
checkPages('proof');

test('each page in docs/ is linked from another page', () => {
  const linked = new Set(
    pages.flatMap((page) =>
      targetsIn(textOf(page))
        .map((target) => join(dirname(page), target.replace(/#.*/, '')))
        .filter((target) => target !== page),
    ),
  );
  withRemedy('Link these pages from README.md, or from a page about their topic.', () => {
    expect(pages.filter((page) => /^docs\/[^/]+$/.test(page) && !linked.has(page))).toEqual([]);
  });
});

// @extension project {
test('README.md has at most 90 lines', () => {
  withRemedy('Move what README.md no longer has room for to a page in docs/, and link to it.', () => {
    expect(textOf('README.md').trimEnd().split('\n').length).toBeLessThanOrEqual(90);
  });
});
// @extension project }

test('no example sends the time of a clock as If-Unmodified-Since', () => {
  const examples = files
    .filter((file) => /^(README\.md|(docs|examples|openapi|web)\/.*\.(md|py|sh|tsx?))$/.test(file))
    .map((file) => [file, textOf(file)]);
  const clock =
    /toUTCString|gmtime|strftime|\bdate -u|<now>|\^\[Dd\]ate|header Date\b|headers[.[(]+(get\()?['"]Date['"]/;
  withRemedy('Send the Last-Modified of a GET in these files, not the time of a clock.', () => {
    expect(examples.filter(([, text = '']) => clock.test(text)).map(([file]) => file)).toEqual([]);
  });
});

// @extension project {
test('each rule in docs/specification.md links to its code and to a test', () => {
  const [rules = ''] = textOf('docs/specification.md').split('## Left open');
  const lines = rules.replace(/\n {2}/g, ' ').match(/^(?:- |\| (?!Effects |-)).*/gm) ?? [];
  expect(lines.length).toBeGreaterThan(40);
  withRemedy('Link these rules of docs/specification.md to a file in lambdas/ and to one in test/.', () => {
    expect(lines.filter((line) => !(line.includes('(../lambdas/') && line.includes('(../test/')))).toEqual(
      [],
    );
  });
});

/** The names of packages, and the reason for them. */
const reasonsOfPackages = () =>
  new Map(
    [...textOf('docs/dependencies.md').matchAll(/^- ((?:`[^`]+[^`/]`(?:,\s+)?)+): (.+)/gm)].flatMap(
      ([, names = '', reason = '']) =>
        [...names.matchAll(/`([^`]+)`/g)].map(([, name = '']) => [name, reason] as const),
    ),
  );

test('docs/dependencies.md has a reason for each dependency, and for no others', () => {
  const named = ['package.json', 'local/package.json'].flatMap((file) => {
    const { dependencies, devDependencies, optionalDependencies } = JSON.parse(textOf(file));
    return Object.keys({ ...dependencies, ...devDependencies, ...optionalDependencies });
  });
  withRemedy('Give each package of package.json, and no other, a reason in docs/dependencies.md.', () => {
    expect([...reasonsOfPackages().keys()].sort()).toEqual([...new Set(named)].sort());
  });
  for (const reason of reasonsOfPackages().values()) expect(reason).not.toBe('');
});
// @extension project }

test('docs/api.md contains the marked part of examples/client.ts', () => {
  const [, part = 'none'] =
    /^\/\/ #region docs\/api\.md\n(.*?)^\/\/ #endregion$/ms.exec(textOf('examples/client.ts')) ?? [];
  withRemedy('Copy the region "docs/api.md" of examples/client.ts to docs/api.md.', () => {
    expect(textOf('docs/api.md')).toContain(`\`\`\`ts\n${part}\`\`\``);
  });
  expect(part).toContain('await client.POST');
});

test('the role in docs/deploy-test-role.yaml trusts both forms of the subject in the tokens of GitHub, and no other', () => {
  const [, trust = ''] = /AssumeRolePolicyDocument:([\s\S]*?)\n {6}Policies:/.exec(
    textOf('docs/deploy-test-role.yaml'),
  ) as RegExpExecArray;
  const values: Record<string, string> = {
    Repository: 'octocat/my-repo',
    Owner: 'octocat',
    OwnerId: '123456',
    Name: 'my-repo',
    RepositoryId: '456789',
    Environment: 'deploy-test',
  };
  const subjects = trust.match(/repo:.*/g) ?? [];
  // The second form is the example in https://github.com/github/docs/pull/45221, for an environment.
  expect(subjects.map((one) => one.replace(/\$\{(\w+)\}/g, (_, name) => values[name] ?? ''))).toEqual([
    'repo:octocat/my-repo:environment:deploy-test',
    'repo:octocat@123456/my-repo@456789:environment:deploy-test',
  ]);
  expect(trust.match(/\bString\w+:/g)).toEqual(['StringEquals:']);
});

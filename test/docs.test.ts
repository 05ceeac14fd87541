import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { referenceIds } from '../openapi/page/guides.ts';
import { slugOf } from '../openapi/page/markdown.ts';
import { projectFiles } from '../tools/files.ts';
import { withRemedy } from './support/remedy.ts';

const project = join(import.meta.dirname, '..');
const textOf = (page: string) => readFileSync(join(project, page), 'utf8');

const files = projectFiles();
const pages = files.filter((file) => file.endsWith('.md'));

const withoutCode = (text: string) => text.replace(/^( *)```[\s\S]*?^\1```$/gm, '');

describe('Links in Markdown files', () => {
  test.each(pages)('%s has no broken relative link', (page) => {
    withRemedy(`Correct these links in ${page}, or the headings to which they lead.`, () => {
      expect(targetsIn(textOf(page)).filter((target) => !resolves(page, target))).toEqual([]);
    });
  });
});

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

/** Returns the relative targets of a page's links and pictures. */
function targetsIn(text: string): string[] {
  const links = withoutCode(text).matchAll(/\]\(<?([^)\s>]+)>?\)|\b(?:src|srcset|href)="([^"]+)"/g);
  return [...links]
    .map(([, markdown, html]) => markdown ?? html ?? '')
    .filter((target) => !/^[a-z]+:/.test(target));
}

/** A guide can also link to an operation or a problem in the reference, which is on the same page as the guides. */
function resolves(page: string, target: string): boolean {
  const [path = '', anchor] = target.split('#');
  const file = path === '' ? page : relative(project, join(project, dirname(page), path));
  if (!existsSync(join(project, file))) return false;
  if (path === '' && anchor !== undefined && page.startsWith('docs/guides/') && referenceIds.has(anchor))
    return true;
  return anchor === undefined || (file.endsWith('.md') && anchorsOf(textOf(file)).includes(anchor));
}

/** Returns the anchors of a page's headings, in the form that GitHub generates. */
function anchorsOf(text: string): string[] {
  const headings = [...withoutCode(text).matchAll(/^#+ (.*)$/gm)].map(([, heading = '']) => heading);
  const slugs = headings.map((heading) => slugOf(heading.replace(/\]\([^)]*\)/g, '')));
  return slugs.map((slug, i) => {
    const before = slugs.slice(0, i).filter((other) => other === slug).length;
    return before === 0 ? slug : `${slug}-${before}`;
  });
}

// The changelog also names scripts of earlier versions.
test.each(pages.filter((page) => page !== 'CHANGELOG.md'))(
  '%s names only npm scripts that package.json has',
  (page) => {
    const { scripts } = JSON.parse(textOf('package.json'));
    const named = [...textOf(page).matchAll(/\bnpm run (?:-s )?([\w:]+)/g)].map(([, script = '']) => script);
    withRemedy(`Correct these scripts in ${page}, or add them to package.json.`, () => {
      expect(named.filter((script) => !Object.hasOwn(scripts, script))).toEqual([]);
    });
  },
);

test.each(pages)('%s names only files and folders that exist', (page) => {
  const folders = 'bench|bin|client|docs|events|examples|lambdas|lib|local|openapi|test|tools|web';
  const named = [...textOf(page).matchAll(new RegExp(`\`((?:${folders})/[\\w/.-]*)\``, 'g'))];
  withRemedy(`Correct these paths in ${page}.`, () => {
    expect(named.map(([, path = '']) => path).filter((path) => !existsSync(join(project, path)))).toEqual([]);
  });
});

test('README.md has at most 110 lines', () => {
  withRemedy('Move what README.md no longer has room for to a page in docs/, and link to it.', () => {
    expect(textOf('README.md').trimEnd().split('\n').length).toBeLessThanOrEqual(110);
  });
});

test('no sentence of eight or more words is on two pages', () => {
  const places = new Map<string, string[]>();
  for (const page of pages)
    for (const sentence of new Set(sentencesOf(textOf(page))))
      places.set(sentence, [...(places.get(sentence) ?? []), page]);
  const repeated = [...places].filter(([, found]) => found.length > 1);
  withRemedy('Keep each sentence on one of its pages, and link to it from the others.', () => {
    expect(Object.fromEntries(repeated)).toEqual({});
  });
});

/** Returns the sentences with at least eight words in the paragraphs and lists of a page. Ignores tables and code. */
function sentencesOf(text: string): string[] {
  const prose = withoutCode(text).replace(/^(\||#|<|!\[).*$/gm, '');
  return prose
    .split(/\n\s*\n|^ *(?:[-*]|\d+\.) /m)
    .flatMap((paragraph) => paragraph.replace(/\s+/g, ' ').split(/(?<=[.?!:]) /))
    .map((sentence) => sentence.trim())
    .filter((sentence) => sentence.split(' ').length >= 8);
}

test('docs/adr/README.md lists each decision record with its title, status and date', () => {
  const withoutLinks = (text: string) => text.replace(/\[(?:record )?([^\]]*)\]\([^)]*\)/g, '$1');
  const records = pages.filter((page) => page.startsWith('docs/adr/0'));
  const rows = [
    ...textOf('docs/adr/README.md').matchAll(
      /^\| \[(\d+\. .*)\]\((.*)\) +\| (?:(.*) · )?(\d{4}-\d\d-\d\d) +\|$/gm,
    ),
  ];
  expect(rows.map(([, , file]) => `docs/adr/${file}`)).toEqual(records);
  for (const [, title, file = '', status = 'accepted', date = ''] of rows)
    withRemedy(`Write the title, the status and the latest date of ${file} into its row.`, () => {
      const record = withoutLinks(textOf(`docs/adr/${file}`));
      const [, stated = '', stateOf = ''] = /^# (.*)\n\nStatus: (.*)$/m.exec(record) ?? [];
      expect(stated).toBe(title);
      expect(stateOf).toMatch(new RegExp(`^(accepted, )?${status} · .*${date}$`));
    });
});

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

test('each line of docs/specification.md links to its code and to a test', () => {
  const [rules = ''] = textOf('docs/specification.md').split('## Left open');
  const lines = rules.split('\n').filter((line) => /^\| (?!Rule |Effects |-)/.test(line));
  expect(lines.length).toBeGreaterThan(40);
  withRemedy('Link these lines of docs/specification.md to a file in lambdas/ and to one in test/.', () => {
    expect(lines.filter((line) => !(line.includes('(../lambdas/') && line.includes('(../test/')))).toEqual(
      [],
    );
  });
});

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

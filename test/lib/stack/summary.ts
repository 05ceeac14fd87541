import { createHash } from 'node:crypto';
import type { TemplateResource } from '../../support/stack-template.ts';

/** A property of a resource. An item of a long list has no value: its text is its name. */
interface Fact {
  readonly name: string;
  readonly value?: string;
}

interface Described {
  readonly path: string;
  readonly facts: readonly Fact[];
}

/** Longer values are cut off, and end with a digest. */
const longestValue = 500;

/** Each item of a longer list of objects has its own line. */
const longestList = 100;

/** A resource with a longer line gets a line for each property. */
const longestLine = 450;

/** Long parts of names and values that are the same in every stack, and their short forms. */
const abbreviations = [
  [/\b[0-9a-f]{64}\b/g, '(digest)'],
  [/arn:<AWS::Partition>:apigateway:<AWS::Region>:lambda:path\/2015-03-31\/functions\//g, 'lambda:'],
  [/arn:<AWS::Partition>:([\w-]+):<AWS::Region>:<AWS::AccountId>:/g, 'arn::$1:::'],
  [/^Environment\.Variables\./, 'env.'],
  [/^ResponseParameters\.gatewayresponse\./, ''],
  [/^ResponseTemplates\.application\/json\./, 'body.'],
  [/^DefinitionString\.States\./, ''],
  [/^DashboardBody\./, ''],
] as const;

/** The end of the path of a resource that belongs to another resource: `Api/GetDogLogs` belongs to `Api/GetDog`. */
const neighbour =
  /(Role|Role\/DefaultPolicy|Logs|Alarm|\/(Policy|EventInvokeConfig|Alias(live|provisioned)|CurrentVersion|ANY|DELETE|GET|HEAD|OPTIONS|PATCH|POST|PUT))$/;

/**
 * Returns the summary of a template, which reviewers read instead of the template. It has a section for each type of resource, and
 * a line for each resource, with all its properties. Each item of a long list, such as a statement of a policy, has its own line.
 * `<Tables/Dogs>` is a reference to a resource, and `<*Logs>` is one to the resource `<path of the line>Logs`. ARNs omit the
 * partition, the region and the account of the stack.
 *
 * A section begins with what its resources have in common:
 * - `usual`: each resource has this value or item, unless its line has another value or `without`.
 * - `shared`: each resource that has this property has this value. The line of the resource states only the name.
 */
export function summaryOf(
  resources: readonly TemplateResource[],
  outputs: Readonly<Record<string, string>> = {},
): string {
  const types = Map.groupBy(resources, ({ type }) => type);
  const sections = [...types].map(([type, ofType]) => [type, ...linesOf(ofType.map(describeResource))]);
  sections.sort(([a = ''], [b = '']) => (a < b ? -1 : 1));
  const described = Object.entries(outputs).map(([path, value]) => ({
    path,
    facts: factsIn('Value', value),
  }));
  if (described.length > 0) sections.push(['Outputs', ...linesOf(described)]);
  return `\n${sections.map((lines) => lines.join('\n')).join('\n\n')}\n`;
}

export function describeResource({ id, path, properties, attributes }: TemplateResource): Described {
  const owner = path.replace(neighbour, '');
  const relative = (text: string) => text.replaceAll(`<${owner}`, '<*').replaceAll(id, '<id>');
  const facts = factsIn('', { ...properties, ...attributes }).map(({ name, value }) =>
    value === undefined ? { name: relative(name) } : { name, value: relative(value) },
  );
  // CloudFormation replaces a resource when its logical ID changes. The data of the former one remains outside of the stack.
  if (attributes.DeletionPolicy?.startsWith('Retain')) facts.push({ name: 'LogicalId', value: id });
  return { path, facts: facts.sort((a, b) => (a.name < b.name ? -1 : 1)) };
}

/** Returns the changes from one stack to another: each changed fact, and the resources of the type that it concerns. */
export function changesBetween(from: readonly TemplateResource[], to: readonly TemplateResource[]): string {
  const keyOf = ({ type, path }: TemplateResource) => `${type} ${path}`;
  const before = new Map(from.map((resource) => [keyOf(resource), resource]));
  const both = to.filter((resource) => before.has(keyOf(resource)));
  const changes = both.flatMap((resource) => {
    const { type, path } = resource;
    const [old, now] = [valuesOf(before.get(keyOf(resource)) ?? resource), valuesOf(resource)];
    return [...new Set([...old.keys(), ...now.keys()])]
      .filter((name) => old.get(name) !== now.get(name))
      .map((name) => ({ type, path, change: changeOf(name, old.get(name), now.get(name)) }));
  });
  const groups = Map.groupBy(changes, ({ type, change }) => `${type} ${change}`);
  const lines = [...groups].map(([change, same]) => {
    const isAll = same.length === both.filter(({ type }) => type === same[0]?.type).length;
    return `${change}\n  ${isAll ? 'all' : same.map(({ path }) => path).join(', ')}`;
  });
  const gone = from.filter(({ path }) => !to.some((resource) => resource.path === path));
  return `\n${[...lines.sort(), ...gone.map(({ path }) => `without ${path}`)].join('\n')}\n`;
}

/** Returns the values of a resource by their names. The value of an item is empty. */
function valuesOf(resource: TemplateResource): Map<string, string> {
  return new Map(describeResource(resource).facts.map(({ name, value = '' }) => [name, value]));
}

function changeOf(name: string, old: string | undefined, now: string | undefined): string {
  if (old === '' || now === '') return `${now === undefined ? 'without' : 'with'} ${name}`;
  return `${name}: ${old ?? 'none'} → ${now ?? 'none'}`;
}

function linesOf(resources: Described[]): string[] {
  const common = commonFacts(resources);
  resources.sort((a, b) => (a.path < b.path ? -1 : 1));
  return [
    ...common.map(({ fact, kind }) => `  ${kind}: ${textOf(fact)}`),
    ...resources.flatMap(({ path, facts }) => {
      const others = facts.flatMap((fact) => {
        const { kind, fact: same } = common.find((one) => one.fact.name === fact.name) ?? {};
        if (kind === 'usual' && same?.value === fact.value) return [];
        return kind === 'shared' ? { name: fact.name, value: '' } : fact;
      });
      const missing = common
        .filter(({ kind, fact }) => kind === 'usual' && !facts.some(({ name }) => name === fact.name))
        .map(({ fact }) => `without ${fact.name}`);
      const inLine = others.filter(({ value }) => value !== undefined).map(textOf);
      const items = [...others.filter(({ value }) => value === undefined).map(textOf), ...missing];
      const line = `  ${path}  ${inLine.join(' · ')}`.trimEnd();
      const lines =
        line.length > longestLine ? [`  ${path}`, ...inLine.map((text) => `    ${text}`)] : [line];
      return [...lines, ...items.map((text) => `    ${text}`)];
    }),
  ];
}

/** Returns the values and items that belong to the head of a section, because most resources have them. */
function commonFacts(resources: readonly Described[]): { fact: Fact; kind: 'usual' | 'shared' }[] {
  const names = Map.groupBy(
    resources.flatMap(({ facts }) => facts),
    ({ name }) => name,
  );
  return [...names.values()].flatMap((facts) => {
    const values = [...Map.groupBy(facts, ({ value }) => value).values()];
    const [[fact, ...same] = []] = values.sort((a, b) => b.length - a.length);
    const count = same.length + 1;
    if (!fact || count < 2) return [];
    const isUsual =
      (fact.value === undefined || facts.length === resources.length) && count > resources.length / 2;
    if (isUsual) return { fact, kind: 'usual' };
    return values.length === 1 && fact.value !== undefined ? { fact, kind: 'shared' } : [];
  });
}

const textOf = ({ name, value }: Fact) => (value ? `${name}=${value}` : name);

/** Returns the properties in a value, with their paths as names. A text that is JSON also has properties. */
function factsIn(name: string, value: unknown): Fact[] {
  const content = parsed(value);
  if (Array.isArray(content) && content.some(isObject)) {
    if (name === 'PolicyDocument.Statement') return content.map((item) => ({ name: short(inline(item)) }));
    if (inline(content).length > longestList) {
      if (content.length > 1) return content.map((item) => ({ name: short(`${name}: ${inline(item)}`) }));
      if (!('Effect' in content[0])) return factsIn(`${name}[0]`, content[0]);
    }
  }
  if (!isObject(content) || Object.keys(content).length === 0)
    return name ? [{ name: short(name), value: short(inline(content)) }] : [];
  return Object.entries(content).flatMap(([key, member]) => factsIn(name ? `${name}.${key}` : key, member));
}

function parsed(value: unknown): unknown {
  if (typeof value !== 'string' || !/^[[{]/.test(value)) return value;
  try {
    return JSON.parse(value);
  } catch {
    return value;
  }
}

function inline(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(inline).join(', ')}]`;
  if (!isObject(value)) return String(value).trim().replaceAll('\n', ' ↵ ');
  const { Effect, Principal, Action, Resource, Condition, ...others } = value;
  if (Effect === undefined) return `{${pairsOf(value)}}`;
  const words = [Effect, [Action].flat().join(', ')];
  if (Resource !== undefined) words.push('on', [Resource].flat().join(', '));
  if (Principal !== undefined) words.push('by', inline(Principal));
  if (Condition !== undefined) words.push('if', inline(Condition));
  return [...words, pairsOf(others)].join(' ').trim();
}

const pairsOf = (value: object) =>
  Object.entries(value)
    .map(([name, member]) => `${name}=${inline(member)}`)
    .join(', ');

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function short(text: string): string {
  const all = abbreviations.reduce((rest, [pattern, to]) => rest.replace(pattern, to), text);
  if (all.length <= longestValue) return all;
  const digest = createHash('sha256').update(all).digest('hex').slice(0, 12);
  return `${all.slice(0, 200)}… (sha256 ${digest})`;
}

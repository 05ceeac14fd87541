import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Stack } from 'aws-cdk-lib';
import { Template } from 'aws-cdk-lib/assertions';
import { createApp } from '../../lib/app.ts';
import { defaultSettings, type Settings } from '../../lib/settings.ts';

// biome-ignore lint/suspicious/noExplicitAny: each type of resource in CloudFormation has its own properties
type Properties = Record<string, any>;

/**
 * A resource of a template. All values are in words: a reference is text in angle brackets, such as `<Tables/Dogs>` for a `Ref`
 * and `<Tables/Dogs.Arn>` for an `Fn::GetAtt`.
 */
export interface TemplateResource {
  readonly id: string;
  /** The path of the construct in the stack, such as `Tables/Dogs`. */
  readonly path: string;
  /** The ID of the construct: the last part of its path. */
  readonly name: string;
  readonly type: string;
  readonly properties: Properties;
  /** All attributes except the type, the properties and the metadata, such as `DependsOn` and `DeletionPolicy`. */
  readonly attributes: Properties;
  readonly asset: string;
}

interface TemplateDocument {
  readonly Resources: Record<
    string,
    { readonly Type: string; readonly Properties?: object; readonly Metadata?: Record<string, string> }
  >;
  readonly Outputs: Record<string, { readonly Value: unknown }>;
}

/** The synthesized stack. Finds resources by the IDs of their constructs. */
export class SynthesizedStack {
  readonly stack: Stack;
  readonly template: TemplateDocument;
  readonly resources: readonly TemplateResource[];
  readonly outputs: Readonly<Record<string, string>>;
  private readonly paths: ReadonlyMap<string, string>;

  constructor(stack: Stack) {
    this.stack = stack;
    this.template = Template.fromStack(stack).toJSON() as TemplateDocument;
    const entries = Object.entries(this.template.Resources);
    this.paths = new Map(entries.map(([id, { Metadata }]) => [id, pathIn(Metadata?.['aws:cdk:path'] ?? id)]));
    this.resources = entries.map(([id, { Type, Properties = {}, Metadata = {}, ...attributes }]) => {
      const path = this.paths.get(id) ?? id;
      return {
        id,
        path,
        name: path.slice(path.lastIndexOf('/') + 1),
        type: Type,
        properties: this.inWords(Properties) as Properties,
        attributes: this.inWords(withReferences(attributes)) as Properties,
        asset: Metadata['aws:asset:path'] ?? '',
      };
    });
    this.outputs = Object.fromEntries(
      Object.entries(this.template.Outputs).map(([name, { Value }]) => [name, String(this.inWords(Value))]),
    );
  }

  ofType(type: string): TemplateResource[] {
    return this.resources.filter((resource) => resource.type === type);
  }

  only(type: string): TemplateResource {
    const [resource, ...others] = this.ofType(type);
    if (!resource || others.length > 0)
      throw new Error(`The stack has not one ${type}, but ${others.length + 1}.`);
    return resource;
  }

  named(type: string, name: string): TemplateResource {
    const resource = this.ofType(type).find((one) => one.name === name);
    if (!resource) throw new Error(`The stack has no ${type} named ${name}.`);
    return resource;
  }

  /** Returns a copy of a value of the template, in which each intrinsic function is text. */
  private inWords(value: unknown): unknown {
    if (Array.isArray(value)) return value.map((item) => this.inWords(item));
    if (typeof value !== 'object' || value === null) return value;
    const [[key, argument] = ['', undefined]] = Object.entries(value);
    if (key === 'Ref') return `<${this.pathOf(argument)}>`;
    if (key === 'Fn::GetAtt') return `<${this.pathOf(argument[0])}.${argument[1]}>`;
    if (key === 'Fn::Join') return argument[1].map((part: unknown) => this.inWords(part)).join(argument[0]);
    if (key === 'Fn::Sub') return argument.replace(/\$\{(.+?)\}/g, '<$1>');
    if (key === 'Fn::Select') return `${this.inWords(argument[1]['Fn::Split'][1])}[${argument[0]}]`;
    return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, this.inWords(item)]));
  }

  private pathOf(id: string): string {
    return this.paths.get(id) ?? id;
  }
}

/** Returns the attributes of a resource, with references instead of the logical IDs in `DependsOn`. */
function withReferences({ DependsOn, ...others }: { DependsOn?: string | string[] }): object {
  return { ...others, ...(DependsOn && { DependsOn: [DependsOn].flat().map((id) => ({ Ref: id })) }) };
}

/** Returns `Tables/Dogs` for `DogService-prod/Tables/Dogs/Resource`. Omits what the CDK adds to the paths of constructs. */
function pathIn(path: string): string {
  return path
    .replace(/^[^/]+\//, '')
    .replace(/\/Resource$/, '')
    .replace('/RestApi/Default/', '/RestApi/')
    .replace(/\/ApiPermission\..*/, '/Permission')
    .replace(/DeploymentStage\..*/, 'DeploymentStage')
    .replace(/:.*/, '');
}

const stacks = new Map<string, SynthesizedStack>();

/** Returns the stack with the default settings and the given changes. Calls with the same settings return the same stack. */
export function synthesizeWith(changes: Partial<Settings> = {}): SynthesizedStack {
  const settings = { ...defaultSettings, ...changes };
  const key = JSON.stringify(settings);
  const stack = stacks.get(key) ?? build(settings, (one) => new SynthesizedStack(one));
  stacks.set(key, stack);
  return stack;
}

/** Returns the constructs of the stack with the default settings and the given changes. They need not be synthesized. */
export function constructsWith(changes: Partial<Settings>): Stack {
  const settings = { ...defaultSettings, ...changes };
  return stacks.get(JSON.stringify(settings))?.stack ?? build(settings, (one) => one);
}

function build<Result>(settings: Settings, use: (stack: Stack) => Result): Result {
  const outdir = mkdtempSync(join(tmpdir(), 'stack-'));
  // The folders of the bundles already contain the pages: `prepare.ts` has written them.
  const props = {
    outdir,
    // The tests read only the template.
    analyticsReporting: false,
    treeMetadata: false,
    // cfn-lint checks the templates. It is stricter, and this validation takes longer than the rest.
    builtinCloudFormationValidation: false,
    context: {
      'aws:cdk:enable-path-metadata': true,
      'aws:cdk:enable-asset-metadata': true,
      'aws:cdk:disable-asset-staging': true,
      'aws:cdk:disable-creation-stack-traces': true,
      // The tests check the annotations themselves, and a report would fill the terminal.
      '@aws-cdk/core:annotationsInValidationReport': false,
      '@aws-cdk/core:enableAdditionalMetadataCollection': false,
    },
  };
  const app = createApp(new Map(), props, settings);
  try {
    return use(app.node.children[0] as Stack);
  } finally {
    rmSync(outdir, { recursive: true });
  }
}

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { App, Stack } from 'aws-cdk-lib';
import { Template } from 'aws-cdk-lib/assertions';
import { pages } from '../../bin/pages.ts';
import { createApp } from '../../lib/app.ts';
import { defaultSettings, type Settings } from '../../lib/settings.ts';

export interface TemplateResource {
  readonly id: string;
  /** The ID of the construct. */
  readonly name: string;
  readonly type: string;
  // biome-ignore lint/suspicious/noExplicitAny: each type of resource in CloudFormation has its own properties
  readonly properties: Record<string, any>;
  readonly metadata: Readonly<Record<string, string>>;
  readonly deletionPolicy?: string;
  /** The logical IDs in the resource's `DependsOn`. */
  readonly dependsOn: readonly string[];
}

/** The synthesized stack. Finds resources by the IDs of their constructs. */
export class SynthesizedStack {
  readonly stack: Stack;
  readonly template: object;
  readonly resources: readonly TemplateResource[];

  constructor(stack: Stack) {
    this.stack = stack;
    this.template = Template.fromStack(stack).toJSON();
    this.resources = Object.entries((this.template as { Resources: object }).Resources).map(
      ([id, { Type, Properties = {}, Metadata = {}, DeletionPolicy, DependsOn = [] }]) => ({
        id,
        name: nameIn(Metadata['aws:cdk:path'] ?? id),
        type: Type,
        properties: Properties,
        metadata: Metadata,
        ...(DeletionPolicy && { deletionPolicy: DeletionPolicy }),
        dependsOn: [DependsOn].flat(),
      }),
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

  /** Returns a readable form of a value of the template: `{ 'Fn::GetAtt': ['TablesDogs…', 'Arn'] }` becomes `Dogs.Arn`. */
  inWords(value: unknown): string {
    if (typeof value !== 'object' || value === null) return String(value);
    const [[key, argument] = ['', undefined]] = Object.entries(value);
    if (key === 'Ref') return this.nameOf(String(argument));
    if (key === 'Fn::GetAtt') {
      const [id, attribute] = argument as [string, string];
      return `${this.nameOf(id)}.${attribute}`;
    }
    if (key === 'Fn::Join') {
      const [separator, parts] = argument as [string, unknown[]];
      return parts.map((part) => this.inWords(part)).join(separator);
    }
    if (key === 'Fn::Select') {
      const [index, { 'Fn::Split': split }] = argument as [number, { 'Fn::Split': [string, unknown] }];
      return `${this.inWords(split[1])}[${index}]`;
    }
    throw new Error(`There is no readable form of ${JSON.stringify(value)}.`);
  }

  private nameOf(id: string): string {
    return this.resources.find((resource) => resource.id === id)?.name ?? `<${id}>`;
  }
}

const outdir = mkdtempSync(join(tmpdir(), 'stack-'));
afterAll(() => rmSync(outdir, { recursive: true }));

/** Synthesizes the stack with the default settings and the given changes. */
export function synthesizeWith(settings: Partial<Settings> = {}): SynthesizedStack {
  const app: App = createApp(pages(), {
    outdir,
    context: {
      ...defaultSettings,
      ...settings,
      'aws:cdk:enable-path-metadata': true,
      'aws:cdk:enable-asset-metadata': true,
      'aws:cdk:disable-asset-staging': true,
      // The tests check the annotations themselves, and a report would fill the terminal.
      '@aws-cdk/core:annotationsInValidationReport': false,
    },
  });
  const [stack] = app.node.children;
  return new SynthesizedStack(stack as Stack);
}

/** Returns `Dogs` for `DogService-prod/Tables/Dogs/Resource`. */
function nameIn(path: string): string {
  const parts = path.split('/');
  return (parts.at(-1) === 'Resource' ? parts.at(-2) : parts.at(-1)) ?? path;
}

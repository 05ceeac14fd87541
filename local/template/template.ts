import { account, region } from './arns.ts';
import { type Identity, identityOf } from './identities.ts';
import type { Properties, Resource } from './resource.ts';

const pseudoParameters: Readonly<Record<string, string>> = {
  'AWS::AccountId': account,
  'AWS::Partition': 'aws',
  'AWS::Region': region,
  'AWS::URLSuffix': 'amazonaws.com',
};

interface TemplateDocument {
  readonly Resources: Record<
    string,
    { readonly Type: string; readonly Properties?: Properties; readonly Metadata?: Record<string, unknown> }
  >;
  readonly Outputs?: Record<string, { readonly Value: unknown }>;
}

/**
 * A function or an alias. An alias has its own ARN and its own settings for asynchronous invocations.
 *
 * @see {@link https://docs.aws.amazon.com/lambda/latest/dg/configuration-aliases.html Lambda aliases}
 */
export interface EntryPoint {
  readonly arn: string;
  readonly lambda: Resource;
  /** `$LATEST`, or the name of the alias. */
  readonly qualifier: string;
  /** The version that an invocation runs. */
  readonly version: string;
}

/**
 * Resolves intrinsic functions to the local cloud's values. Error messages start with the logical ID of the resource or the name
 * of the output.
 */
export class Template {
  readonly resources: readonly Resource[];
  readonly outputs: Readonly<Record<string, string>>;
  private readonly identities = new Map<string, Identity>();
  readonly stackName: string;

  /** @throws Error if the template uses an unsupported resource type, or an unknown intrinsic function, resource or attribute */
  constructor(document: TemplateDocument, stackName: string) {
    this.stackName = stackName;
    const entries = Object.entries(document.Resources).filter(
      ([, { Type }]) => Type !== 'AWS::CDK::Metadata',
    );
    for (const [logicalId, { Type, Properties = {} }] of entries) {
      const identity = identityOf(logicalId, Type, Properties, {
        defaultName: `${stackName}-${logicalId}`,
        resolve: (value) => this.resolve(value, logicalId),
      });
      this.identities.set(logicalId, identity);
    }
    this.resources = entries.map(([logicalId, { Type, Properties = {}, Metadata }]) => ({
      logicalId,
      type: Type,
      name: constructId(Metadata?.['aws:cdk:path']) ?? logicalId,
      properties: {
        ...(this.resolve(Properties, logicalId) as Properties),
        ...(Metadata?.['aws:asset:path'] !== undefined && { assetPath: Metadata['aws:asset:path'] }),
      },
    }));
    this.outputs = Object.fromEntries(
      Object.entries(document.Outputs ?? {}).map(([name, { Value }]) => [
        name,
        String(this.resolve(Value, name)),
      ]),
    );
  }

  /** In the template's order. */
  ofType(type: string): Resource[] {
    return this.resources.filter((resource) => resource.type === type);
  }

  secretNameOf({ logicalId }: Resource): string {
    return this.attributeOf(logicalId, 'Name', logicalId);
  }

  get entryPoints(): EntryPoint[] {
    const functions = this.ofType('AWS::Lambda::Function');
    const aliases = this.ofType('AWS::Lambda::Alias').map((resource) => {
      const { logicalId, properties } = resource;
      const lambda = functions.find((one) => this.idOf(one) === properties.FunctionName);
      if (!lambda) throw new Error(`${logicalId}: the function of the alias is not in the template.`);
      return {
        arn: this.idOf(resource),
        lambda,
        qualifier: properties.Name,
        version: properties.FunctionVersion,
      };
    });
    const latest = { qualifier: '$LATEST', version: '$LATEST' };
    return [...functions.map((lambda) => ({ arn: this.arnOf(lambda), lambda, ...latest })), ...aliases];
  }

  /** Returns the value of `Ref` for a resource. */
  idOf({ logicalId }: Resource): string {
    return this.identityOf(logicalId, logicalId).Ref;
  }

  arnOf({ logicalId }: Resource): string {
    return this.attributeOf(logicalId, 'Arn', logicalId);
  }

  private resolve(value: unknown, owner: string): unknown {
    if (Array.isArray(value)) return value.map((item) => this.resolve(item, owner));
    if (typeof value !== 'object' || value === null) return value;
    const [[key, argument] = [undefined, undefined], ...rest] = Object.entries(value);
    if (key !== undefined && rest.length === 0 && (key === 'Ref' || key.startsWith('Fn::'))) {
      const intrinsic = this.intrinsics[key];
      if (!intrinsic) throw new Error(`${owner}: the local cloud does not support ${key}.`);
      return intrinsic(argument, owner);
    }
    return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, this.resolve(item, owner)]));
  }

  /** `owner` is the resource or output that contains the argument. */
  private readonly intrinsics: Record<string, (argument: Properties[string], owner: string) => unknown> = {
    Ref: (name, owner) => this.resolveRef(String(name), owner),
    'Fn::GetAtt': ([logicalId, attribute], owner) => this.attributeOf(logicalId, attribute, owner),
    'Fn::Join': ([separator, parts], owner) => (this.resolve(parts, owner) as string[]).join(separator),
    'Fn::Split': ([separator, text], owner) => String(this.resolve(text, owner)).split(separator),
    'Fn::Select': ([index, list], owner) => (this.resolve(list, owner) as unknown[])[Number(index)],
    'Fn::Sub': (text, owner) =>
      String(text).replace(/\$\{([^}]+)\}/g, (_, name) => this.resolveRef(name, owner)),
  };

  private resolveRef(name: string, owner: string): string {
    return pseudoParameters[name] ?? this.identityOf(name, owner).Ref;
  }

  private attributeOf(logicalId: string, attribute: string, owner: string): string {
    const value = this.identityOf(logicalId, owner)[attribute];
    if (value === undefined)
      throw new Error(`${owner}: the local cloud does not support ${logicalId}.${attribute}.`);
    return value;
  }

  private identityOf(logicalId: string, owner: string): Identity {
    const identity = this.identities.get(logicalId);
    if (!identity) throw new Error(`${owner}: the template has no ${logicalId}.`);
    return identity;
  }
}

/** Returns `Table` for `Stack/Table/Resource`. */
function constructId(path: unknown): string | undefined {
  return path === undefined ? undefined : String(path).split('/').at(-2);
}

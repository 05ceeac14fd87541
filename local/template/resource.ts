export interface Resource {
  readonly logicalId: string;
  readonly type: string;
  /** The ID of the construct, which appears in logs, file names and commands. */
  readonly name: string;
  /** With references resolved. If the resource has an asset, `assetPath` is the name of its folder or file. */
  readonly properties: Properties;
}

// biome-ignore lint/suspicious/noExplicitAny: each resource type of CloudFormation has different properties
export type Properties = Record<string, any>;

/** A resource of the template. The references in its properties are resolved. */
export interface Resource {
  readonly logicalId: string;
  readonly type: string;
  /** The ID of the construct. It is in logs, file names and commands. */
  readonly name: string;
  readonly properties: Properties;
}

// biome-ignore lint/suspicious/noExplicitAny: each resource type of CloudFormation has other properties
export type Properties = Record<string, any>;

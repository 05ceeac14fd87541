/** The synthesis of a CDK app, and what its template says. */
export { operatorPolicies, policiesOf } from '../iam/policies.ts';
export { environmentVariablesOf, type RuntimeContext } from '../lambda/environment-variables.ts';
export type { Resource } from './resource.ts';
export { type CachedSynthesis, CachedSynthesizer } from './synthesis-cache.ts';
export { readAssembly, type Synthesized, stacksIn } from './synthesize.ts';
export { Template } from './template.ts';

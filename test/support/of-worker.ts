import { readAssembly } from '@rest-actions/local-cloud/template';
import { synthesized } from './prepare.ts';

declare global {
  /** The values that the test files of this worker share. */
  var valuesOfWorker: Map<string, unknown> | undefined;
}

/** Returns a value that the test files of a worker share, because it is slow to make. No test may change it. */
export function ofWorker<Value>(name: string, make: () => Value): Value {
  globalThis.valuesOfWorker ??= new Map();
  const { valuesOfWorker: values } = globalThis;
  if (!values.has(name)) values.set(name, make());
  return values.get(name) as Value;
}

export const synthesizedAssembly = () => ofWorker('assembly', () => readAssembly(synthesized));

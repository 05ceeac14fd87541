import { readFileSync } from 'node:fs';
import { InvokeCommand, LambdaClient } from '@aws-sdk/client-lambda';
import { useDeployment } from '../operator/deployment.ts';
import { UsageError } from '../operator/usage.ts';
import { functionsOf } from './functions.ts';

/** What the function threw. */
export class FunctionError extends Error {
  override readonly name = 'FunctionError';
}

/**
 * Calls a function once, and waits for its answer.
 *
 * @param id of its construct, such as `GetDog`
 * @param file holds the event
 * @param stack undefined for the service on this machine
 * @throws FunctionError, UsageError
 */
export async function invoke(id: string, file: string, stack?: string): Promise<unknown> {
  const Payload = eventIn(file);
  await useDeployment(stack, 'administrator');
  const functions = await functionsOf(stack);
  const FunctionName = functions.get(id);
  if (FunctionName === undefined)
    throw new UsageError(`There is no function "${id}", but: ${[...functions.keys()].sort().join(', ')}.`);
  const lambda = new LambdaClient({ maxAttempts: 1 });
  const answer = await lambda.send(new InvokeCommand({ FunctionName, Payload }));
  const text = answer.Payload?.transformToString() || 'null';
  if (answer.FunctionError) throw thrown(text);
  return JSON.parse(text);
}

function eventIn(file: string): string {
  const text = textIn(file);
  try {
    JSON.parse(text);
    return text;
  } catch (error) {
    throw new UsageError(`${file} is not JSON: ${(error as Error).message}`);
  }
}

function textIn(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    throw new UsageError(`The event cannot be read: ${(error as Error).message}`);
  }
}

function thrown(text: string): FunctionError {
  const { errorType, errorMessage } = JSON.parse(text) as { errorType?: string; errorMessage?: string };
  return new FunctionError(`${errorType ?? 'Error'}: ${errorMessage ?? text}`);
}

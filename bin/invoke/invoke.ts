import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { InvokeCommand, LambdaClient } from '@aws-sdk/client-lambda';
import { jsonOf } from '../../lambdas/domain/platform/json.ts';
import { suggestionFor } from '../../lib/suggestion.ts';
import { useDeployment } from '../cli/deployment.ts';
import { CommandFailed, UsageError } from '../cli/errors.ts';
import { filled } from './fill.ts';
import { functionsOf } from './functions.ts';

const samples = join(import.meta.dirname, '../../events');

/** Thrown when the invoked function fails. The message contains the type and the message of the function's error. */
export class FunctionError extends CommandFailed {}

/**
 * Invokes a function once, without retries. Fills in the function's sample event if it is for the local service.
 *
 * @param id the ID of the function's construct, such as `GetDog`
 * @param file the path of a JSON file with the event
 * @param stack the name of the stack, or undefined for the local service
 * @param isAsIs true if a sample event must be sent unchanged
 * @throws FunctionError if the function fails, for example because it times out
 * @throws UsageError if the event file cannot be read or is not JSON, or if the function does not exist
 * @throws CommandFailed if the stack cannot be read, or if no local service is running
 */
export async function invoke(
  id: string,
  file: string,
  { stack, isAsIs = false }: { readonly stack?: string | undefined; readonly isAsIs?: boolean } = {},
): Promise<unknown> {
  const event = eventIn(file);
  await useDeployment(stack, 'administrator');
  const functions = await functionsOf(stack);
  const FunctionName = functions.get(id);
  if (FunctionName === undefined) throw unknownFunction(id, [...functions.keys()].sort());
  const isSample = resolve(file) === join(samples, `${id}.json`);
  const Payload = isSample && !isAsIs && stack === undefined ? await filled(id, event) : event;
  const lambda = new LambdaClient({ maxAttempts: 1 });
  const response = await lambda.send(new InvokeCommand({ FunctionName, Payload }));
  const text = response.Payload?.transformToString() || 'null';
  if (response.FunctionError) throw thrown(text);
  const result = jsonOf(text);
  return result === undefined ? text : result;
}

function unknownFunction(id: string, ids: readonly string[]): UsageError {
  return new UsageError(
    `Unknown function "${id}".${suggestionFor(id, ids)} The functions are: ${ids.join(', ')}.`,
  );
}

function eventIn(file: string): string {
  const text = textIn(file);
  try {
    JSON.parse(text);
    return text;
  } catch (error) {
    throw new UsageError(`The file ${file} is not JSON: ${(error as Error).message}`);
  }
}

function textIn(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    throw new UsageError(`Cannot read the event file: ${(error as Error).message}`);
  }
}

function thrown(text: string): FunctionError {
  const { errorType, errorMessage } = Object(jsonOf(text)) as { errorType?: string; errorMessage?: string };
  return new FunctionError(`${errorType ?? 'Error'}: ${errorMessage ?? text}`);
}

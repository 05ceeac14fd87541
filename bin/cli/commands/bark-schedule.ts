import { randomInt } from 'node:crypto';
import type { DogServiceClient } from '../../../client/index.ts';
import { connect } from '../api.ts';
import type { Run } from '../command.ts';
import { CommandFailed } from '../errors.ts';
import { timeText } from '../output.ts';
import { check, dataOf, kindOf } from '../problems.ts';
import { BarkSchedule, Dog } from '../responses.ts';
import { pathOf } from './dogs.ts';

interface DogPath {
  readonly path: { readonly dog_id: string };
}

export const getSchedule: Run = async (context, dog) => {
  const params = { path: pathOf(dog) };
  return readSchedule(await connect(context), params);
};

export const setSchedule: Run = async (context, dog) => {
  const { next = 0, frequency = null, replace } = context.options;
  const params = { path: pathOf(dog) };
  const client = await connect(context);
  const header = replace ? {} : await unlessScheduled(client, params);
  // The token identifies the request, so each request gets a new token.
  const body = { token: randomInt(2 ** 48 - 1), next, frequency };
  check(await client.POST('/v1/dogs/{dog_id}/bark-schedule', { params: { ...params, header }, body }));
  return readSchedule(client, params);
};

export const endSchedule: Run = async (context, dog) => {
  const params = { path: pathOf(dog) };
  const client = await connect(context);
  check(await client.DELETE('/v1/dogs/{dog_id}/bark-schedule', { params }));
  return { ended: dog };
};

/** Includes the frequency, which only the dog's representation contains. */
async function readSchedule(client: DogServiceClient, params: DogPath): Promise<object> {
  const schedule = dataOf(await client.GET('/v1/dogs/{dog_id}/bark-schedule', { params }), BarkSchedule);
  const { barks } = dataOf(await client.GET('/v1/dogs/{dog_id}', { params }), Dog);
  return { dog: params.path.dog_id, ...schedule, frequency: barks?.frequency ?? null };
}

/**
 * Returns the precondition that the dog still has no schedule.
 *
 * @throws CommandFailed if the dog has a schedule
 */
async function unlessScheduled(client: DogServiceClient, params: DogPath) {
  const read = await client.GET('/v1/dogs/{dog_id}/bark-schedule', { params });
  if (kindOf(read) === 'bark-schedule-not-found') return { 'If-None-Match': '*' };
  const { next } = dataOf(read, BarkSchedule);
  if (next === null) return { 'If-Match': read.response.headers.get('ETag') ?? '*' };
  const dog = params.path.dog_id;
  throw new CommandFailed(
    `The dog "${dog}" already has a schedule: it barks next at ${timeText(next, Date.now())}. Replace it with --replace, or end it with "npx dogs schedule end ${dog}".`,
  );
}

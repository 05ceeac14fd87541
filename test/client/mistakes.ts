import type { DogServiceClient } from '../../client/index.ts';

const rex = { params: { path: { dog_id: 'rex' } } } as const;

/** Compiled, and never called: what the types refuse. */
export async function mistakes(client: DogServiceClient): Promise<void> {
  // @ts-expect-error: there is no such path
  await client.GET('/v1/cats');
  // @ts-expect-error: the dog is not named
  await client.GET('/v1/dogs/{dog_id}');
  // @ts-expect-error: the path does not answer this method
  await client.POST('/v1/dogs/{dog_id}', rex);
  // @ts-expect-error: no dog has such an effect
  await client.PUT('/v1/dogs/{dog_id}', { ...rex, body: { barkEffects: ['bite'] } });
  // @ts-expect-error: a schedule needs a token
  await client.POST('/v1/dogs/{dog_id}/bark-schedule', { ...rex, body: { next: 0 } });
  // @ts-expect-error: a patch needs the date at which it was sent first
  await client.PATCH('/v1/dogs/{dog_id}', { ...rex, body: { barks: null } });
  const { data } = await client.GET('/v1/dogs/{dog_id}', rex);
  // @ts-expect-error: a dog has no name
  data?.name;
}

import type { DogServiceClient } from '../../client/index.ts';

const rex = { params: { path: { dog_id: 'rex' } } } as const;

/** Contains calls that the types of the client must reject. `npm run typecheck` compiles them. No test runs them. */
export async function mistakes(client: DogServiceClient): Promise<void> {
  // @ts-expect-error: the path does not exist
  await client.GET('/v1/cats');
  // @ts-expect-error: the ID of the dog is missing
  await client.GET('/v1/dogs/{dog_id}');
  // @ts-expect-error: the path does not support the method
  await client.POST('/v1/dogs/{dog_id}', rex);
  // @ts-expect-error: the document lists no HEAD operations
  await client.HEAD('/v1/dogs/{dog_id}', rex);
  // @ts-expect-error: the effect does not exist
  await client.PUT('/v1/dogs/{dog_id}', { ...rex, body: { barkEffects: ['bite'] } });
  // @ts-expect-error: the token is missing
  await client.POST('/v1/dogs/{dog_id}/bark-schedule', { ...rex, body: { next: 0 } });
  // @ts-expect-error: the header If-Unmodified-Since is missing
  await client.PATCH('/v1/dogs/{dog_id}', { ...rex, body: { barks: null } });
  const { data } = await client.GET('/v1/dogs/{dog_id}', rex);
  // @ts-expect-error: a dog has no field "name"
  data?.name;
}

import { createClient } from './client/client/index.js';
import { getBark, getDog, issueToken, postBarks, putDog } from './client/index.js';
import type { Access, Observations } from './observations.js';

export async function observe(access: Access): Promise<Observations> {
  const { base_url: baseUrl, username, password, client_id, client_secret, refresh_token } = access;
  const client = createClient({
    baseUrl,
    auth: ({ scheme }) => (scheme === 'basic' ? `${username}:${password}` : undefined),
  });
  const dog = (dog_id: string) => ({ client, path: { dog_id } });

  const email = 'success@simulator.amazonses.com';
  const created = [
    await putDog({ ...dog('hey-mails'), body: { email, barkEffects: ['emailDog'] } }),
    await putDog({ ...dog('hey-records'), body: { barkEffects: ['record'] } }),
    await putDog({ ...dog('hey-counts'), body: { barkEffects: ['count'] } }),
  ];

  const mailed = await postBarks({ ...dog('hey-mails'), body: { message: 'Woof' } });
  const recorded = await postBarks(dog('hey-records'));
  const counted = await postBarks({ ...dog('hey-counts'), redirect: 'manual' });
  const accepted = await postBarks({ ...dog('hey-records'), headers: { Prefer: 'respond-async' } });
  const bark_id = accepted.response?.headers.get('Location')?.split('/').at(-1) ?? '';
  const path = { dog_id: 'hey-records', bark_id };
  const performed = await getBark({ client, path, headers: { Prefer: 'wait=20' }, redirect: 'manual' });
  const shown = await getDog(dog('hey-records'));
  const barkCount: number | undefined = shown.data?.barkCount;
  const token = await issueToken({
    client,
    body: { grant_type: 'refresh_token', client_id, client_secret, refresh_token },
  });
  const tokenType: 'Bearer' | undefined = token.data?.token_type;
  return {
    created: created.map(({ response }) => response?.status),
    mailed: [mailed.response?.status, mailed.data],
    recorded: [recorded.response?.status, recorded.data],
    counted: [counted.response?.status, counted.error],
    accepted: [accepted.response?.status, accepted.data],
    performed: [performed.response?.status, performed.error],
    dog: [shown.response?.status, barkCount],
    token: [token.response?.status, tokenType],
  };
}

import { createClient } from './client/client/index.js';
import {
  getBark,
  getDog,
  issueToken,
  patchDog,
  postBarkSchedule,
  postBarks,
  putDog,
} from './client/index.js';
import type { Access, Observations } from './observations.js';

export async function observe(access: Access): Promise<Observations> {
  const { base_url: baseUrl, username, password, client_id, client_secret, refresh_token } = access;
  const { prefix, next } = access;
  const client = createClient({
    baseUrl,
    auth: ({ scheme }) => (scheme === 'basic' ? `${username}:${password}` : undefined),
  });
  const dog = (dog_id: string) => ({ client, path: { dog_id } });

  const email = 'success@simulator.amazonses.com';
  const created = [
    await putDog({ ...dog(`${prefix}-mails`), body: { email, barkEffects: ['emailDog'] } }),
    await putDog({ ...dog(`${prefix}-records`), body: { barkEffects: ['record'] } }),
    await putDog({ ...dog(`${prefix}-counts`), body: { barkEffects: ['count'] } }),
  ];

  const mailed = await postBarks({ ...dog(`${prefix}-mails`), body: { message: 'Woof' } });
  const recorded = await postBarks(dog(`${prefix}-records`));
  const counted = await postBarks({ ...dog(`${prefix}-counts`), redirect: 'manual' });
  const accepted = await postBarks({ ...dog(`${prefix}-records`), headers: { Prefer: 'respond-async' } });
  const bark_id = accepted.response?.headers.get('Location')?.split('/').at(-1) ?? '';
  const path = { dog_id: `${prefix}-records`, bark_id };
  const performed = await getBark({ client, path, headers: { Prefer: 'wait=20' }, redirect: 'manual' });
  const shown = await getDog(dog(`${prefix}-records`));
  const barkCount: number | undefined = shown.data?.barkCount;
  const patched = await patchDog({
    ...dog(`${prefix}-records`),
    headers: { 'If-Unmodified-Since': shown.response?.headers.get('Last-Modified') ?? '' },
    body: { barks: { next, frequency: 10 } },
  });
  const scheduled: (number | undefined)[] = [];
  for (const token of access.tokens) {
    const { response } = await postBarkSchedule({ ...dog(`${prefix}-records`), body: { token, next } });
    scheduled.push(response?.status);
  }
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
    patched: patched.response?.status,
    scheduled,
  };
}

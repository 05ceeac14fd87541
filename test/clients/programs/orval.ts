import { getBark, getDog, issueToken, postBarks, putDog } from './client/index.js';
import type { Access, Observations } from './observations.js';

export async function observe(access: Access): Promise<Observations> {
  const { username, password, client_id, client_secret, refresh_token } = access;
  const headers = { Authorization: `Basic ${btoa(`${username}:${password}`)}` };
  const options = { headers, redirect: 'manual' } as const;

  const email = 'success@simulator.amazonses.com';
  const created = [
    await putDog('orval-mails', { email, barkEffects: ['emailDog'] }, options),
    await putDog('orval-records', { barkEffects: ['record'] }, options),
    await putDog('orval-counts', { barkEffects: ['count'] }, options),
  ];

  const mailed = await postBarks('orval-mails', { message: 'Woof' }, options);
  const recorded = await postBarks('orval-records', undefined, options);
  const counted = await postBarks('orval-counts', undefined, options);
  const accepted = await postBarks('orval-records', undefined, {
    headers: { ...headers, Prefer: 'respond-async' },
  });
  const bark = accepted.headers.get('Location')?.split('/').at(-1) ?? '';
  const performed = await getBark('orval-records', bark, {
    ...options,
    headers: { ...headers, Prefer: 'wait=20' },
  });
  const shown = await getDog('orval-records', options);
  const token = await issueToken({ grant_type: 'refresh_token', client_id, client_secret, refresh_token });
  return {
    created: created.map(({ status }) => status),
    mailed: [mailed.status, mailed.data],
    recorded: [recorded.status, recorded.data],
    counted: [counted.status, counted.data],
    accepted: [accepted.status, accepted.data],
    performed: [performed.status, performed.data],
    dog: [shown.status, shown.status === 200 ? shown.data.barkCount : undefined],
    token: [token.status, token.status === 200 ? token.data.token_type : undefined],
  };
}

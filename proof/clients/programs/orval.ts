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
  const { username, password, client_id, client_secret, refresh_token, prefix, next } = access;
  const headers = { Authorization: `Basic ${btoa(`${username}:${password}`)}` };
  const options = { headers, redirect: 'manual' } as const;

  const email = 'success@simulator.amazonses.com';
  const created = [
    await putDog(`${prefix}-mails`, { email, barkEffects: ['emailDog'] }, options),
    await putDog(`${prefix}-records`, { barkEffects: ['record'] }, options),
    await putDog(`${prefix}-counts`, { barkEffects: ['count'] }, options),
  ];

  const mailed = await postBarks(`${prefix}-mails`, { message: 'Woof' }, options);
  const recorded = await postBarks(`${prefix}-records`, undefined, options);
  const counted = await postBarks(`${prefix}-counts`, undefined, options);
  const accepted = await postBarks(`${prefix}-records`, undefined, {
    headers: { ...headers, Prefer: 'respond-async' },
  });
  const bark = accepted.headers.get('Location')?.split('/').at(-1) ?? '';
  const performed = await getBark(`${prefix}-records`, bark, {
    ...options,
    headers: { ...headers, Prefer: 'wait=20' },
  });
  const shown = await getDog(`${prefix}-records`, options);
  const date = shown.headers.get('Last-Modified') ?? '';
  const patched = await patchDog(
    `${prefix}-records`,
    { barks: { next, frequency: 10 } },
    { headers: { ...headers, 'If-Unmodified-Since': date } },
  );
  const scheduled: number[] = [];
  for (const token of access.tokens)
    scheduled.push((await postBarkSchedule(`${prefix}-records`, { token, next }, options)).status);
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
    patched: patched.status,
    scheduled,
  };
}

import { bypassProxy } from '@rest-actions/local-cloud/platform';
import { dogServiceClient } from '../../client/index.ts';
import type { Dog } from '../../lambdas/domain/dogs/dog.ts';
import { readDog } from '../../lambdas/domain/dogs/read.ts';
import { findSchedule } from '../../lambdas/domain/schedules/eventbridge.ts';
import { mailKeyOf, subscriptionTokenOf } from '../../lambdas/domain/suspensions/subscription.ts';
import { mailAddressesOf } from '../../lambdas/domain/suspensions/suspension.ts';
import { readAccessFile } from '../cli/deployment.ts';
import { CommandFailed } from '../cli/errors.ts';
import { newContext } from '../cli/parameters.ts';

type Values = Readonly<Record<string, string>>;

function client() {
  const { base_url: baseUrl, ...credentials } = readAccessFile();
  bypassProxy(baseUrl);
  return dogServiceClient({ baseUrl, credentials });
}

/** @throws CommandFailed if the dogs of the sample events no longer exist */
function checkStatus({ status, url }: Response): void {
  if (status >= 400)
    throw new CommandFailed(
      `The sample event needs the dogs of the first start, but ${url} responded with ${status}. Delete the service's folder and start it again, or send the event with --as-is.`,
    );
}

async function newBark(dog_id: string, Prefer?: 'respond-async'): Promise<string> {
  const params = { path: { dog_id }, header: Prefer ? { Prefer } : {} };
  const { response } = await client().POST('/v1/dogs/{dog_id}/barks', { params });
  checkStatus(response);
  return response.headers.get('Location')?.split('/').at(-1) ?? '';
}

async function lastModified(dog_id: string): Promise<string> {
  const { response } = await client().GET('/v1/dogs/{dog_id}', { params: { path: { dog_id } } });
  checkStatus(response);
  return response.headers.get('Last-Modified') ?? '';
}

async function tokenOf(dog: Dog): Promise<string> {
  return subscriptionTokenOf(await mailKeyOf(dog, newContext()), mailAddressesOf(dog).slice(0, 1));
}

/** The event that EventBridge Scheduler sends when the dog's schedule is due. */
async function occurrenceOf(dog_id: string): Promise<object> {
  const params = { path: { dog_id } };
  const dog = await client().GET('/v1/dogs/{dog_id}', { params });
  checkStatus(dog.response);
  const now = Date.parse(dog.response.headers.get('Date') ?? '') / 1000;
  // EventBridge Scheduler gets no occurrence that is less than 15 seconds ahead.
  const body = { token: Date.now(), next: now + 20 };
  const { response } = await client().POST('/v1/dogs/{dog_id}/bark-schedule', { params, body });
  checkStatus(response);
  const { schedule } = await readDog(dog_id, newContext());
  const input = await findSchedule(dog_id, schedule?.scheduleId ?? '', newContext());
  const scheduledTime = new Date(1000 * (input?.firstInvocationAt ?? 0)).toISOString();
  return { ...input, scheduledTime };
}

const pending = async () => ({ a01KAK0XW00ABCDEFGHJKMNPQRS: await newBark('record-async', 'respond-async') });

const subscription = async () => ({
  q7Zt0pXv2mB9sU4wKc1yLrAe: await tokenOf(await readDog('message-sync', newContext())),
});

/** By function: what takes the place of the values in its sample event that only the running service knows. */
const values: Readonly<Record<string, () => Promise<Values>>> = {
  GetBark: async () => ({ s01KAK0XW00ABCDEFGHJKMNPQRS: await newBark('record-sync') }),
  DeleteBark: async () => ({
    a01KAK0XW00ABCDEFGHJKMNPQRS: await newBark('record-sync', 'respond-async'),
  }),
  PatchDog: async () => ({ 'Fri, 20 Nov 2026 00:00:00 GMT': await lastModified('record-sync') }),
  PerformBark: pending,
  FailBark: pending,
  GetMailSubscription: subscription,
  PostMailSubscription: subscription,
  SuspendAddress: async () => ({
    '01KAK0XW00ABCDEFGHJKMNPQRS': (await readDog('message-sync', newContext())).incarnation,
    '2026-11-21T12:00:04.378Z': new Date().toISOString(),
  }),
  Authorizer: async () => {
    const { username, password } = readAccessFile();
    return { 'ZG9nLWxvdmVyOnNlY3JldA==': Buffer.from(`${username}:${password}`).toString('base64') };
  },
  IssueToken: async () => {
    const { client_id = '', client_secret = '', refresh_token = '' } = readAccessFile();
    const parameters = new URLSearchParams({ client_id, client_secret, refresh_token });
    return { 'client_id=walker&client_secret=secret&refresh_token=token': parameters.toString() };
  },
};

/**
 * Replaces the dates, IDs, tokens and passwords in a function's sample event with those of the service on this machine, so that the
 * function succeeds. To do so, can make a dog bark or set its schedule.
 */
export async function filled(id: string, event: string): Promise<string> {
  if (id === 'BarkOnSchedule') return JSON.stringify(await occurrenceOf('record-sync'));
  const replacements = Object.entries((await values[id]?.()) ?? {});
  return replacements.reduce((text, [sample, value]) => text.replaceAll(sample, value), event);
}

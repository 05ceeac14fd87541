import { setTimeout as sleep } from 'node:timers/promises';
import type { DogServiceClient, SettledBark } from '../../../client/index.ts';
import { collect, connect } from '../api.ts';
import type { CommandContext, Run } from '../command.ts';
import { UsageError } from '../errors.ts';
import { type ApiResult, check, dataOf, ForeignResponse, shaped } from '../problems.ts';
import { BarkList, Bark as BarkShape, LastBark } from '../responses.ts';
import { longestWait } from '../waiting.ts'; // @extension waiting
import { pathOf } from './dogs.ts';

/** A bark that has happened but is not recorded has no ID. */
type Bark = Omit<SettledBark, 'status'> & { readonly status: SettledBark['status'] | 'pending' };

export const bark: Run = async (context, dog) => {
  const { message, async: isAsync, idempotencyKey } = context.options;
  const header = {
    ...(idempotencyKey !== undefined && { 'Idempotency-Key': JSON.stringify(idempotencyKey) }),
    ...(isAsync && { Prefer: 'respond-async' }),
  };
  const params = { path: pathOf(dog), header };
  const client = await connect(context);
  const body = message === undefined ? {} : { body: { message } };
  const result = await client.POST('/v1/dogs/{dog_id}/barks', { params, ...body });
  if (result.response.status !== 202) return reported(barkOf(result), context);
  // A repeated request gets the first response again, which does not show what has happened since.
  const id = result.response.headers.get('Location')?.split('/').at(-1) ?? '';
  if (!barkId.test(id)) throw new ForeignResponse(result.response, 'does not locate the bark');
  return followed(client, { dog_id: dog, bark_id: id }, context);
};

export const listBarks: Run = async (context, dog) => {
  const path = pathOf(dog);
  const client = await connect(context);
  const barks = await collect(context, async (query) => {
    const result = await client.GET('/v1/dogs/{dog_id}/barks', { params: { path, query } });
    return { items: dataOf(result, BarkList).barks, response: result.response };
  });
  if (barks.length === 0)
    context.notice(
      `The dog "${dog}" has no recorded barks. It records barks only if its bark effects include record: see "npx dogs get ${dog}".`,
    );
  return barks;
};

export const getBark: Run = async (context, dog, id?: string) => {
  if (id === undefined) return getLastBark(context, dog);
  const path = { ...pathOf(dog), bark_id: checkBarkId(id) };
  const client = await connect(context);
  return context.options.wait ? followed(client, path, context) : readBark(client, path);
};

async function getLastBark(context: CommandContext, dog: string): Promise<object> {
  const params = { path: pathOf(dog) };
  const client = await connect(context);
  const result = await client.GET('/v1/dogs/{dog_id}/bark', { params });
  const { timestamp } = dataOf(result, LastBark);
  // Only a recorded bark has a link.
  const [, id] = /\/barks\/([^>]+)>/.exec(result.response.headers.get('Link') ?? '') ?? [];
  return { ...(id !== undefined && { id }), timestamp };
}

export const cancelBark: Run = async (context, dog, id = '') => {
  const params = { path: { ...pathOf(dog), bark_id: checkBarkId(id) } };
  const client = await connect(context);
  check(await client.DELETE('/v1/dogs/{dog_id}/barks/{bark_id}', { params }));
  return { cancelled: id };
};

interface BarkPath {
  readonly dog_id: string;
  readonly bark_id: string;
}

/** Between two reads of a pending bark. */
const pauseMs = 1_000;

async function readBark(client: DogServiceClient, path: BarkPath): Promise<Bark> {
  return barkOf(await client.GET('/v1/dogs/{dog_id}/barks/{bark_id}', { params: { path } }));
}

async function followed(client: DogServiceClient, path: BarkPath, context: CommandContext): Promise<Bark> {
  const { options, notice, showProgress } = context;
  let bark = await readBark(client, path);
  if (bark.status !== 'pending') return reported(bark, context);
  const target = (['url', 'stack', 'user'] as const).flatMap((name) =>
    options[name] ? [`--${name}`, options[name]] : [],
  );
  // On a line of its own, a command is easy to copy.
  const command = (verb: string) =>
    ['  npx dogs barks', verb, path.dog_id, path.bark_id, ...target].join(' ');
  notice(`The bark is pending. To cancel it, run:\n${command('cancel')}`);
  if (!options.wait) {
    notice(`To wait for it, run:\n${command('get')} --wait`);
    return bark;
  }
  client.use(longestWait); // @extension waiting
  const end = showProgress(`Waiting for the bark of ${path.dog_id}`);
  try {
    for (;;) {
      bark = await readBark(client, path);
      if (bark.status !== 'pending') break;
      await sleep(pauseMs);
    }
  } finally {
    end();
  }
  return reported(bark, context);
}

/** The body of a 303 is also the bark. */
function barkOf(result: ApiResult<unknown>): Bark {
  const { response, error } = result;
  return (response.status === 303 ? shaped(error, BarkShape, response) : dataOf(result, BarkShape)) as Bark;
}

/** Makes the command fail if the bark failed or was cancelled. */
function reported(bark: Bark, { fail }: CommandContext): Bark {
  if (bark.status === 'failed') fail(`The bark failed. ${bark.reason ?? ''}`.trim());
  if (bark.status === 'cancelled') fail('The bark was cancelled.');
  return bark;
}

const barkId = /^[\w-]+$/;

/** @throws UsageError if the text cannot be a bark's ID: in a path, `..` would lead to another resource */
function checkBarkId(id: string): string {
  if (barkId.test(id)) return id;
  throw new UsageError(`"${id}" is not the ID of a bark. List the barks with "npx dogs barks list".`);
}

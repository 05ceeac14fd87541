import {
  DeleteSuppressedDestinationCommand,
  GetSuppressedDestinationCommand,
  NotFoundException,
  paginateListSuppressedDestinations,
  SESv2Client,
  type SuppressedDestinationSummary,
} from '@aws-sdk/client-sesv2';
import type { Suspension } from '../../../lambdas/domain/dogs/dog.ts';
import { listDogs } from '../../../lambdas/domain/dogs/read.ts';
import { seconds } from '../../../lambdas/domain/platform/request-context.ts';
import { liftSuspension } from '../../../lambdas/domain/suspensions/suspend.ts';
import { caseless, isSuspended, suspensionsOf } from '../../../lambdas/domain/suspensions/suspension.ts';
import { CommandFailed, UsageError } from '../errors.ts';
import type { OperatorRun } from '../operator-group.ts';
import { newContext } from '../parameters.ts';

/** An address's suspension: for one dog's mail, or for all mail from the account if `dog` is null. */
interface Row extends Pick<Suspension, 'address' | 'reason' | 'since'> {
  readonly dog: string | null;
}

export const list: OperatorRun = async () => {
  const pages = paginateListSuppressedDestinations({ client: new SESv2Client() }, {});
  const rows: Row[] = [];
  for await (const { SuppressedDestinationSummaries = [] } of pages)
    rows.push(...SuppressedDestinationSummaries.map(rowOf));
  rows.push(...(await rowsOfDogs()));
  return rows.sort((a, b) => a.address.localeCompare(b.address));
};

export const get: OperatorRun = async (_, address: string) => {
  checkAddress(address);
  const { SuppressedDestination: suppressed } = await new SESv2Client()
    .send(new GetSuppressedDestinationCommand({ EmailAddress: address }))
    .catch(unlessAbsent);
  const ofDogs = (await rowsOfDogs()).filter((row) => caseless(row.address) === caseless(address));
  const rows = [...(suppressed ? [rowOf(suppressed)] : []), ...ofDogs];
  if (rows.length === 0) throw new CommandFailed(`The address "${address}" is not suspended.`);
  return rows;
};

/**
 * Removes the address from SES's suppression list before it lifts the dogs' suspensions. In the other order, a dog could send
 * mail in between, SES would report a bounce, and the address would be suspended again. Safe to run again, even if an earlier run
 * stopped halfway.
 */
export const lift: OperatorRun = async (_, address: string) => {
  checkAddress(address);
  await new SESv2Client()
    .send(new DeleteSuppressedDestinationCommand({ EmailAddress: address }))
    .catch(unlessAbsent);
  const dogs: string[] = [];
  for await (const dog of allDogs())
    if (isSuspended(dog, address) && (await liftSuspension(dog.id, address, newContext()))) dogs.push(dog.id);
  return { lifted: address, dogs };
};

/** @throws UsageError if the text is no address: in a path, `..` would lead to another resource */
function checkAddress(text: string): void {
  if (!text.includes('@')) throw new UsageError(`"${text}" is not an email address.`);
}

async function rowsOfDogs(): Promise<Row[]> {
  const rows: Row[] = [];
  for await (const dog of allDogs())
    rows.push(
      ...suspensionsOf(dog).map(({ address, reason, since }) => ({ address, dog: dog.id, reason, since })),
    );
  return rows;
}

async function* allDogs() {
  for (let after: string | undefined; ; ) {
    const page = await listDogs({ limit: 100, after }, newContext());
    yield* page.dogs;
    if (page.next === undefined) return;
    after = page.next;
  }
}

function rowOf({ EmailAddress, Reason, LastUpdateTime }: SuppressedDestinationSummary): Row {
  return {
    address: String(EmailAddress),
    dog: null,
    reason: Reason === 'COMPLAINT' ? 'complained' : 'bounced',
    since: seconds(LastUpdateTime?.getTime() ?? 0),
  };
}

/** Returns an empty response if the address is not on the suppression list. */
function unlessAbsent(error: unknown): { SuppressedDestination?: undefined } {
  if (error instanceof NotFoundException) return {};
  throw error;
}

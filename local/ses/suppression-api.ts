import type { Emulator } from '../endpoint/emulator.ts';
import { type AwsResponse, json, jsonError } from '../endpoint/response.ts';
import type { Clock } from '../platform/clock.ts';
import { parseJson } from '../platform/json.ts';
import {
  type SuppressedDestination,
  type SuppressionList,
  type SuppressionReason,
  suppressionReasons,
} from './suppression-list.ts';

const root = '/v2/email/suppression/addresses';

/** The number of addresses on a page, if the request does not set it, and the maximum. */
const pageSizes = { usual: 100, most: 1000 };

/**
 * The part of API version 2 of SES that manages the suppression list of the account: PutSuppressedDestination,
 * GetSuppressedDestination, ListSuppressedDestinations (without filters) and DeleteSuppressedDestination.
 *
 * @see {@link https://docs.aws.amazon.com/ses/latest/APIReference-V2/API_ListSuppressedDestinations.html}
 * @see {@link https://docs.aws.amazon.com/ses/latest/APIReference-V2/API_DeleteSuppressedDestination.html}
 */
export function serveSuppressionList(list: SuppressionList, clock: Pick<Clock, 'now'>): Emulator {
  return async ({ method, path, body }) => {
    const { pathname, searchParams } = new URL(path, 'http://ses');
    if (pathname === root && method === 'GET') return page(list, searchParams);
    if (pathname === root && method === 'PUT') return put(list, body, Math.floor(clock.now() / 1000));
    const address = decodeURIComponent(pathname.slice(root.length + 1));
    if (!pathname.startsWith(`${root}/`) || !['GET', 'DELETE'].includes(method))
      return jsonError(
        404,
        'UnknownOperationException',
        `The local cloud does not support ${method} ${pathname}.`,
      );
    const found = list.find(address);
    if (!found)
      return jsonError(
        404,
        'NotFoundException',
        `Email address ${address} does not exist on your suppression list.`,
      );
    if (method === 'GET') return json({ SuppressedDestination: shown(found) }, 'application/json');
    list.delete(address);
    return json({}, 'application/json');
  };
}

function page(list: SuppressionList, query: URLSearchParams): AwsResponse {
  const size = Number(query.get('PageSize') ?? pageSizes.usual);
  if (!Number.isInteger(size) || size < 1 || size > pageSizes.most)
    return badRequest(`PageSize must be from 1 to ${pageSizes.most}.`);
  const token = query.get('NextToken');
  const found = list.list(token === null ? '' : Buffer.from(token, 'base64url').toString(), size + 1);
  const shownHere = found.slice(0, size);
  const last = found.length > size ? shownHere.at(-1) : undefined;
  return json(
    {
      SuppressedDestinationSummaries: shownHere.map(shown),
      ...(last && { NextToken: Buffer.from(last.address).toString('base64url') }),
    },
    'application/json',
  );
}

function put(list: SuppressionList, body: Buffer, updated: number): AwsResponse {
  const { EmailAddress, Reason } = Object(parseJson(body.toString('utf8')));
  if (typeof EmailAddress !== 'string' || !EmailAddress.includes('@') || !isReason(Reason))
    return badRequest('EmailAddress must be an email address, and Reason must be BOUNCE or COMPLAINT.');
  list.put({ address: EmailAddress, reason: Reason, updated });
  return json({}, 'application/json');
}

function isReason(value: unknown): value is SuppressionReason {
  return suppressionReasons.some((reason) => reason === value);
}

function shown({ address, reason, updated }: SuppressedDestination): object {
  return { EmailAddress: address, Reason: reason, LastUpdateTime: updated };
}

function badRequest(message: string): AwsResponse {
  return jsonError(400, 'BadRequestException', message);
}

import type { Emulator } from '../endpoint/emulator.ts';
import { json, jsonError } from '../endpoint/response.ts';

const path = /^\/v2\/email\/suppression\/addresses(?:\/[^/?]+|(?=\?|$))/;

/**
 * ListSuppressedDestinations, GetSuppressedDestination and DeleteSuppressedDestination. The list is always empty, because SES
 * does not add the mailbox simulator's addresses to it.
 */
export const serveSuppressionList: Emulator = async (call) => {
  const [found = ''] = path.exec(call.path) ?? [];
  if (found.endsWith('/addresses') && call.method === 'GET')
    return json({ SuppressedDestinationSummaries: [] }, 'application/json');
  if (found !== '' && !found.endsWith('/addresses') && ['GET', 'DELETE'].includes(call.method))
    return jsonError(404, 'NotFoundException', 'The email address does not exist on your suppression list.');
  return jsonError(
    404,
    'UnknownOperationException',
    `The local cloud does not support ${call.method} ${call.path}.`,
  );
};

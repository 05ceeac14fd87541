import type { BarkOutcome, BarkRequest, IdempotencyKey } from '../../domain/barks/bark.ts';
import { createBark } from '../../domain/barks/create.ts';
import { BarkDocument } from '../../domain/barks/schema.ts';
import { requestTimeoutMs, withTimeout } from '../../domain/platform/request-context.ts';
import { endpointWithBody, type Response } from '../../http/endpoint.ts';
import { idempotencyKey } from '../../http/idempotency-key.ts';
import { preferenceApplied } from '../../http/prefer.ts';
import { barkUrl } from '../../http/representations.ts';
import type { Request } from '../../http/request.ts';
import { accepted, prefersAsync } from '../../http/respond-async.ts';
import { beginWait, responseAfterWait, withHeaders } from './waiting.ts'; // @extension waiting

/** The two routes that make a dog bark share everything but these parameters. */
export function barkEndpoint({
  resource,
  inHistory = false,
  check,
  responseTo,
}: {
  readonly resource: IdempotencyKey['resource'];
  readonly inHistory?: boolean;
  readonly check: (
    request: Request,
    ...read: Parameters<NonNullable<BarkRequest['check']>>
  ) => Promise<void> | void;
  readonly responseTo: (
    outcome: Exclude<BarkOutcome, { kind: 'accepted' }>,
    request: Request,
    dogId: string,
  ) => Response;
}) {
  return endpointWithBody(
    { schema: BarkDocument, empty: {}, acceptHeader: 'Accept-Post' },
    async (request) => {
      const { baseUrl, body, user, context } = request;
      const dogId = request.parameter('dog_id');
      const isAsync = prefersAsync(request);
      const wait = beginWait(request); // @extension waiting
      const barkRequest: BarkRequest = {
        ...body,
        user,
        isAsync,
        inHistory,
        key: idempotencyKey(request, resource),
        check: (...read) => check(request, ...read),
      };
      const outcome = await withTimeout(context, requestTimeoutMs, (limited) =>
        createBark(dogId, barkRequest, limited),
      );
      if (outcome.kind !== 'accepted') return responseTo(outcome, request, dogId);
      const applied = preferenceApplied(
        isAsync && 'respond-async',
        wait.preference, // @extension waiting
      );
      // @extension waiting {
      const settled = await responseAfterWait(request, wait, outcome.bark, (performed) =>
        responseTo(performed, request, dogId),
      );
      if (settled) return withHeaders(applied, settled);
      // @extension waiting }
      return accepted(request, barkUrl(baseUrl, outcome.bark), applied);
    },
  );
}

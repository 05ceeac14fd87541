import type { BarkOutcome, BarkRequest, IdempotencyKey } from '../../domain/barks/bark.ts';
import { createBark } from '../../domain/barks/create.ts';
import { BarkDocument } from '../../domain/barks/schema.ts';
import { barkAndWait } from '../../domain/waiting/wait.ts';
import { accepted, notPerformed } from '../../http/bark-responses.ts';
import { endpointWithBody, type Response } from '../../http/endpoint.ts';
import { idempotencyKey } from '../../http/idempotency-key.ts';
import { preferenceApplied, prefersAsync, waitLimits } from '../../http/prefer.ts';
import { barkUrl } from '../../http/representations.ts';
import type { Request } from '../../http/request.ts';

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
      const barkRequest: BarkRequest = {
        ...body,
        user,
        isAsync: prefersAsync(request),
        inHistory,
        key: idempotencyKey(request, resource),
        check: (...read) => check(request, ...read),
      };
      const { isAsync, outcome } = await barkAndWait(
        waitLimits(request),
        (limited) => createBark(dogId, barkRequest, limited),
        context,
      );
      if (outcome.kind === 'accepted') return accepted(request, barkUrl(baseUrl, outcome.bark));
      if (outcome.kind === 'notPerformed') return notPerformed(request, outcome.bark);
      const { headers, ...response } = responseTo(outcome, request, dogId);
      const applied = isAsync ? preferenceApplied(request, 'respond-async', 'wait') : {};
      return { ...response, headers: { ...applied, ...headers } };
    },
  );
}

import { AlreadyExists } from '../../../../lambdas/domain/access/items.ts';
import { InvalidCursor } from '../../../../lambdas/domain/barks/bark.ts';
import { KeyReused, RequestInProgress } from '../../../../lambdas/domain/barks/idempotency-record.ts';
import { StateMismatch } from '../../../../lambdas/domain/dogs/precondition.ts';
import { LimitReached } from '../../../../lambdas/domain/limits/usage.ts';
import { NotFound } from '../../../../lambdas/domain/platform/errors.ts';
import { DateInFuture, ModifiedSince, TokenReused } from '../../../../lambdas/domain/schedules/decisions.ts';
import { errorClasses } from '../../../support/errors.ts';

const { MailFailure: _, ...namedClasses } = errorClasses;

test.each(Object.entries(namedClasses))(
  '%s has the name of its class, which the logs and the retries of the workflow use',
  (name, kind) => {
    const error = new (kind as new (...parameters: unknown[]) => Error)('x', 'y');
    expect(error.name).toBe(name);
  },
);

test.each<[Error, string]>([
  [new NotFound('dog', 'rex'), 'There is no dog "rex".'],
  [new NotFound('bark', 'a1'), 'There is no bark "a1".'],
  [new NotFound('bark of the dog', 'rex'), 'No bark of dog "rex" has been counted or recorded yet.'],
  [new NotFound('schedule of the dog', 'rex'), 'Dog "rex" has never had a bark schedule.'],
  [new AlreadyExists('user', 'walker'), 'The user "walker" already exists.'],
  [new StateMismatch('rex'), 'The dog "rex" does not meet the precondition.'],
  [new ModifiedSince(2), 'A client changed the dog after the date of the request.'],
  [new DateInFuture(1), 'The date of the request is in the future.'],
  [new InvalidCursor(), 'The cursor does not come from this list.'],
  [
    new LimitReached({ reached: [], windowSeconds: 60, secondsLeft: 1 }),
    'A limit on barks or mail is reached.',
  ],
  [new KeyReused(), 'A different request has already used the same idempotency key.'],
  [new RequestInProgress(3), 'Another invocation is still handling the same request.'],
  [
    new TokenReused(),
    'was already used with a different next or frequency; use a new token for a new schedule',
  ],
])('%p has the message: %s', (error, message) => {
  expect(error.message).toBe(message);
});

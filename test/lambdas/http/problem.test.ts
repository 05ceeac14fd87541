import { InvalidCursor } from '../../../lambdas/domain/barks/bark.ts';
import { TooLate } from '../../../lambdas/domain/barks/cancel.ts';
import { KeyReused, RequestInProgress } from '../../../lambdas/domain/barks/idempotency-record.ts';
import { StateMismatch } from '../../../lambdas/domain/dogs/precondition.ts';
import { LimitReached } from '../../../lambdas/domain/limits/usage.ts';
import { NotFound, Unavailable } from '../../../lambdas/domain/platform/errors.ts';
import { MailFailure, mailUnknown } from '../../../lambdas/domain/platform/ses.ts';
import { InvalidSchedule, TokenReused } from '../../../lambdas/domain/schedules/decisions.ts';
import { ScheduleRefused } from '../../../lambdas/domain/schedules/eventbridge.ts';
import { withForbiddenForInvalidPatch } from '../../../lambdas/http/patch.ts';
import { invalidBody, Problem, problemDocument, problemOf } from '../../../lambdas/http/problem.ts';
import type { Request } from '../../../lambdas/http/request.ts';

describe('problemOf', () => {
  test.each([
    [new InvalidCursor(), 400, 'invalid-cursor'],
    [new NotFound('dog', 'rex'), 404, 'dog-not-found'],
    [new NotFound('bark', 's1'), 404, 'bark-not-found'],
    [new NotFound('bark of the dog', 'rex'), 404, 'no-last-bark'],
    [new NotFound('schedule of the dog', 'rex'), 404, 'bark-schedule-not-found'],
    [new TooLate('It is too late.'), 409, 'bark-not-cancellable'],
    [new StateMismatch('rex'), 412, 'precondition-failed'],
    [new KeyReused(), 422, 'idempotency-key-reused'],
    [new TokenReused(), 422, 'schedule-token-reused'],
    [new InvalidSchedule('next', 'must be an integer'), 422, 'invalid-body'],
    [new MailFailure('MailRefused', 'It was refused.'), 502, 'mail-refused'],
    [new ScheduleRefused('It was refused.'), 502, 'schedule-refused'],
    [new MailFailure('MailNotSent', 'It was not sent.'), 503, 'mail-not-sent'],
    [new MailFailure('MailUnavailable', 'It was not sent.'), 503, 'mail-unavailable'],
    [mailUnknown(), 504, 'mail-unknown'],
    [new Unavailable('It is overloaded.'), 503, 'service-unavailable'],
    [new NotFound('user', 'ann'), 500, 'internal-error'],
    [new Error('A defect'), 500, 'internal-error'],
    [Object.assign(new Error('A defect'), { name: 'toString' }), 500, 'internal-error'],
    ['not an error', 500, 'internal-error'],
  ])('returns for %p the status %i and the type %s', (error, status, type) => {
    expect(problemOf(error)).toMatchObject({ status, type });
  });

  test('returns the limits that are reached, and the waiting time', () => {
    const reached = [
      { name: 'mailsPerDog', limit: 60 },
      { name: 'mailsPerUser', limit: 600 },
    ] as const;
    expect(problemOf(new LimitReached({ reached, windowSeconds: 3600, secondsLeft: 1234 }))).toMatchObject({
      type: 'mail-limit-reached',
      status: 429,
      message:
        'The limit of 60 mails for each dog in 60 minutes is reached. The limit of 600 mails for each user in 60 minutes is reached. The dog did not bark. Wait for the number of seconds in Retry-After, then send the request again.',
      headers: {
        'Retry-After': '1234',
        'RateLimit-Policy': '"mailsPerDog";q=60;w=3600, "mailsPerUser";q=600;w=3600',
        RateLimit: '"mailsPerDog";r=0;t=1234, "mailsPerUser";r=0;t=1234',
      },
    });
  });

  test('returns the type for barks if a limit of barks is reached', () => {
    const reached = [
      { name: 'barksPerUser', limit: 5 },
      { name: 'mailsPerUser', limit: 5 },
    ] as const;
    const problem = problemOf(new LimitReached({ reached, windowSeconds: 60, secondsLeft: 1 }));
    expect(problem.type).toBe('bark-limit-reached');
  });

  test('returns the waiting time in seconds if a request is in progress', () => {
    expect(problemOf(new RequestInProgress(7))).toMatchObject({
      type: 'request-in-progress',
      status: 409,
      headers: { 'Retry-After': '7' },
    });
  });

  test.each([
    [new TokenReused(), '/token'],
    [new InvalidSchedule('next', 'must be an integer'), '/next'],
  ])('returns for %p the pointer %s', (error, pointer) => {
    expect(problemOf(error).errors).toEqual([{ pointer, detail: error.message }]);
  });
});

test.each([
  [new ScheduleRefused('It was refused.'), 403, 'schedule-refused'],
  [new Unavailable('It is overloaded.'), 503, 'service-unavailable'],
])('A PATCH that fails with %p has the status %i and the type %s', async (error, status, type) => {
  const failing = withForbiddenForInvalidPatch(() => Promise.reject(error));
  await expect(failing({} as Request)).rejects.toMatchObject({ status, type });
});

test('invalidBody returns a problem whose detail lists the errors of all fields', () => {
  const errors = [
    { pointer: '/name', detail: 'is not a known field' },
    { pointer: '/email', detail: 'must be a string' },
  ];
  expect(invalidBody(errors)).toMatchObject({
    type: 'invalid-body',
    message: 'The request body is invalid: /name is not a known field; /email must be a string.',
    errors,
  });
});

describe('problemDocument', () => {
  test.each([
    ['https://dogs.example/prod', 'https://dogs.example/prod/docs#problem-invalid-limit'],
    ['/prod', '/prod/docs#problem-invalid-limit'],
    ['', '/docs#problem-invalid-limit'],
  ])('has a type below the base URL "%s"', (baseUrl, type) => {
    const problem = new Problem('invalid-limit', 'It is too large.');
    expect(problemDocument(problem, { requestId: 'x=', baseUrl })).toStrictEqual({
      type,
      title: 'The query parameter "limit" is invalid',
      status: 400,
      detail: 'It is too large.',
      instance: '#x=',
    });
  });
});

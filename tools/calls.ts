/** A function's AWS calls in one case. `test/lambdas/calls.test.ts` checks them. */
export interface MeasuredCase {
  readonly function: string;
  readonly case: string;
  /** The status of a route's response, or the result of any other function. */
  readonly result: number | string;
  /** `→` separates sequential calls, and `+` separates parallel calls. */
  readonly calls: string;
  /** DynamoDB request units, for items of typical size. */
  readonly reads: number;
  readonly writes: number;
  // @extension waiting {
  /** How long the function waits for an asynchronous bark. */
  readonly waitedSeconds?: number;
  // @extension waiting }
}

// @extension waiting {
const waitedSeconds: Readonly<Record<string, number>> = {
  'asynchronous, waits until complete': 5.25,
  'asynchronous, waits 6 seconds in vain': 6,
  'pending, waits until complete': 5.25,
};
// @extension waiting }

// biome-ignore format: a table, with a case in each line
const rows: readonly [string, string, number | string, string, number, number][] = [
  ['ListDogs',           '20 of 25 dogs',                           200,            'Scan',                                                                         2, 0],
  ['GetDog',             'has not barked',                          200,            'GetItem + Query',                                                              2, 0],
  ['GetDog',             '100 barks',                               200,            'GetItem + Query',                                                              4, 0],
  ['GetDog',             '10,000 barks',                            200,            'GetItem + Query',                                                              5, 0],
  ['GetDog',             '100 barks, the largest history entries',  200,            'GetItem + Query',                                                              6, 0],
  ['PutDog',             'new',                                     201,            'UpdateItem',                                                                   0, 1],
  ['PutDog',             'replaced',                                204,            'UpdateItem',                                                                   0, 1],
  ['PutDog',             'If-Match, several tags',                  204,            'GetItem → UpdateItem',                                                         1, 1],
  ['PatchDog',           'next later',                              205,            'BatchGetItem → CreateSchedule → TransactWriteItems',                           2, 4],
  ['PatchDog',           'next now',                                205,            'BatchGetItem → CreateSchedule → TransactWriteItems',                           2, 6],
  ['PatchDog',           'next now, with mail',                     205,            'BatchGetItem → CreateSchedule → TransactWriteItems → SendRawEmail',            2, 6],
  ['PatchDog',           'next now, once',                          205,            'BatchGetItem → TransactWriteItems',                                            2, 6],
  ['PatchDog',           'next now, replaces another',              205,            'BatchGetItem → CreateSchedule → TransactWriteItems → DeleteSchedule',          2, 6],
  ['PatchDog',           'a repeat',                                204,            'BatchGetItem',                                                                 2, 0],
  ['PatchDog',           'changes nothing',                         204,            'BatchGetItem → TransactWriteItems',                                            2, 4],
  ['PatchDog',           'ends the schedule',                       205,            'BatchGetItem → TransactWriteItems → DeleteSchedule',                           2, 4],
  ['PatchDog',           'dog changed after the date',              403,            'BatchGetItem → BatchGetItem',                                                  3, 0],
  ['DeleteDog',          'with or without a schedule',              204,            'TransactWriteItems',                                                           0, 2],
  ['PostBarks',          'record',                                  201,            'GetItem → TransactWriteItems',                                                 1, 4],
  ['PostBarks',          'mail',                                    200,            'GetItem → SendRawEmail',                                                       1, 0],
  ['PostBarks',          'mail, events are on',                     200,            'GetItem → SendRawEmail → TransactWriteItems',                                     1, 2], // @extension events
  ['PostBarks',          'mail and record',                         201,            'GetItem → SendRawEmail → TransactWriteItems',                                  1, 4],
  ['PostBarks',          'asynchronous',                            202,            'GetItem → StartExecution → TransactWriteItems',                                1, 4],
  ['PostBarks',          'asynchronous, with mail',                 202,            'GetItem → StartExecution → TransactWriteItems',                                1, 4],
  ['PostBarks',          'record, with a key',                      201,            'GetItem → TransactWriteItems',                                                 1, 6],
  ['PostBarks',          'record, key repeated',                    201,            'GetItem → TransactWriteItems',                                                 1, 6],
  ['PostBarks',          'mail and record, with a key',             201,            'GetItem → PutItem → SendRawEmail → TransactWriteItems',                        1, 7],
  ['PostBarks',          'mail and record, key repeated',           201,            'GetItem → PutItem',                                                            1, 1],
  ['PostBarks',          'asynchronous, with a key',                202,            'GetItem → StartExecution → TransactWriteItems',                                1, 6],
  ['PostBarks',          'asynchronous, waits until complete',      201,            'GetItem → StartExecution → TransactWriteItems → GetItem',                      2, 4], // @extension waiting
  ['PostBarks',          'asynchronous, waits 6 seconds in vain',   202,            'GetItem → StartExecution → TransactWriteItems → GetItem → GetItem → GetItem',  4, 4], // @extension waiting
  ['PostBarks',          'record, limits of barks',                 201,            'GetItem → TransactWriteItems',                                                 1, 8],
  ['PostBarks',          'mail, limits of mails',                   200,            'GetItem → TransactWriteItems → SendRawEmail',                                     1, 4],
  ['PostBarks',          'mail and record, limits of mails',        201,            'GetItem → TransactWriteItems → SendRawEmail → TransactWriteItems',                1, 8],
  ['PostBarks',          'mail, over the limit',                    429,            'GetItem → TransactWriteItems',                                                 1, 2],
  ['ListBarks',          '20 of 10,000 barks',                      200,            'GetItem + Query',                                                              2, 0],
  ['GetBark',            'recorded',                                200,            'BatchGetItem',                                                                 2, 0],
  ['GetBark',            'pending',                                 200,            'BatchGetItem',                                                                 2, 0],
  ['GetBark',            'pending, waits until complete',           303,            'BatchGetItem → BatchGetItem',                                                  4, 0], // @extension waiting
  ['DeleteBark',         'pending',                                 204,            'BatchGetItem → TransactWriteItems',                                            2, 4],
  ['DeleteBark',         'already cancelled',                       204,            'BatchGetItem',                                                                 2, 0],
  ['PostBarkSchedule',   'next now',                                205,            'BatchGetItem → CreateSchedule → TransactWriteItems',                           2, 6],
  ['PostBarkSchedule',   'next now, replaces another',              205,            'BatchGetItem → CreateSchedule → TransactWriteItems → DeleteSchedule',          2, 6],
  ['PostBarkSchedule',   'a repeat',                                205,            'BatchGetItem',                                                                 2, 0],
  ['PostBarkSchedule',   'a used token',                            422,            'BatchGetItem',                                                                 2, 0],
  ['GetBarkSchedule',    'has a schedule',                          200,            'GetItem',                                                                      1, 0],
  ['DeleteBarkSchedule', 'has a schedule',                          204,            'GetItem → UpdateItem → DeleteSchedule',                                        1, 1],
  ['DeleteBarkSchedule', 'already deleted',                         204,            'GetItem',                                                                      1, 0],
  ['PostLastBark',       'record',                                  201,            'GetItem → TransactWriteItems',                                                 1, 4],
  ['PostLastBark',       'mail',                                    201,            'GetItem → SendRawEmail → TransactWriteItems',                                  1, 4],
  ['PostLastBark',       'asynchronous',                            202,            'GetItem → StartExecution → TransactWriteItems',                                1, 4],
  ['GetLastBark',        '10,000 barks',                            200,            'GetItem + Query',                                                              2, 0],
  ['DeleteLastBark',     'does nothing',                            204,            'GetItem',                                                                      1, 0],
  ['GetMailSubscription','a link',                                 200,            'GetItem',                                                                      1, 0],
  ['PostMailSubscription','a link',                                 200,            'GetItem → UpdateItem',                                                         1, 1],
  ['IssueToken',         'signing key known',                       200,            '3 GetItem',                                                                    3, 0],
  ['IssueToken',         'signing key unknown',                     200,            '3 GetItem + GetSecretValue',                                                   3, 0],
  ['GetKeys',            'all keys',                                200,            'GetItem',                                                                      1, 0],
  ['GetConsole',         'the page',                                200,            '',                                                                             0, 0], // @extension console
  ['GetOpenApi',         'the description',                         200,            '',                                                                             0, 0],
  ['GetDocs',            'the page',                                200,            '',                                                                             0, 0], // @extension docs
  ['Fallback',           'no such path',                            404,            '',                                                                             0, 0],
  ['Authorizer',         'a password',                              'allowed',      'GetItem',                                                                      1, 0],
  ['Authorizer',         'a token, keys known',                     'allowed',      '',                                                                             0, 0],
  ['Authorizer',         'a token, keys unknown',                   'allowed',      'GetItem',                                                                      1, 0],
  ['BarkOnSchedule',     'record',                                  'done',         'GetItem → TransactWriteItems',                                                 1, 4],
  ['BarkOnSchedule',     'mail and record',                         'done',         'GetItem → TransactWriteItems → SendRawEmail → UpdateItem',                     1, 5],
  ['BarkOnSchedule',     'delivered twice',                         'done',         'GetItem → TransactWriteItems',                                                 1, 4],
  ['BarkOnSchedule',     'a replaced schedule',                     'done',         'GetItem → GetItem → DeleteSchedule',                                           2, 0],
  ['BarkOnSchedule',     'a deleted dog',                           'done',         'GetItem → DeleteSchedule',                                                     1, 0],
  ['PerformBark',        'record',                                  'complete',     'BatchGetItem → TransactWriteItems',                                            2, 8],
  ['PerformBark',        'mail',                                    'complete',     'BatchGetItem → UpdateItem → SendRawEmail → TransactWriteItems',                2, 5],
  ['PerformBark',        'mail and record',                         'complete',     'BatchGetItem → UpdateItem → SendRawEmail → TransactWriteItems',                2, 9],
  ['PerformBark',        'already cancelled',                       'cancelled',    'BatchGetItem',                                                                 2, 0],
  ['FailBark',           'pending',                                 'done',         'GetItem → TransactWriteItems',                                                 1, 4],
  ['SuspendAddress',     'a bounce',                               'done',         'GetItem → UpdateItem',                                                         1, 1],
  ['SuspendAddress',     'delivered twice',                        'done',         'GetItem',                                                                      1, 0],
  ['PurgeDog',           'never barked',                            'done',         'GetItem → Query',                                                              2, 0],
  ['PurgeDog',           'a schedule and 2 items',                  'done',         'GetItem → DeleteSchedule → Query → 2 DeleteItem',                              2, 2],
  ['PurgeDog',           '100 items',                               'done',         'GetItem → Query → 50 DeleteItem → Query → 50 DeleteItem → Query',              6, 100],
  ['PublishEvents',      'a bark',                                  'done',         'PutEvents',                                                                    0, 0], // @extension events
  ['PublishEvents',      'a dog that barked',                       'done',         '',                                                                             0, 0], // @extension events
  ['RefreshCredentials', 'enough time left',                        'done',         '2 GetSecretValue',                                                             0, 0],
  ['RefreshCredentials', 'refreshed, every 20 minutes',             'done',         '2 GetSecretValue → (token endpoint) → GetSecretValue → PutSecretValue',        0, 0],
];

export const measuredCases: readonly MeasuredCase[] = rows.map(
  ([name, case_, result, calls, reads, writes]) => ({
    function: name,
    case: case_,
    result,
    calls,
    reads,
    writes,
    ...(case_ in waitedSeconds && { waitedSeconds: waitedSeconds[case_] }), // @extension waiting
  }),
);

/**
 * The number of transitions in a Standard execution without retries: the start, the wait, the task and the end, as in AWS's
 * pricing example. By AWS's rule, "each time a step of your workflow is executed", only the wait and the task would count.
 *
 * @see {@link https://aws.amazon.com/step-functions/pricing/}
 */
export const transitionsOfBark = 4;

/** The size of a scheduled bark's history entry in bytes, for a dog whose ID has ten characters. */
export const historyEntryBytes = { record: 104, mail: 159 };

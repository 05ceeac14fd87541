import type { Capabilities, Route } from '../../lambdas/contract/routes.ts';
import { routes } from '../../lambdas/contract/routes.ts';
import { preparation } from '../../lambdas/domain/platform/prepare.ts';
import { installRecorder, recorded } from '../support/call-recorder.ts';
import { useDatabase } from '../support/database.ts';
import { injectFaults, reset } from '../support/faults.ts';

interface Entry {
  readonly prepare?: () => Promise<void>;
}

const entryOf = ({ entry }: Pick<Route, 'entry'>): Promise<Entry> => import(`../../lambdas/${entry}`);
const callsServices = ({ capabilities }: { readonly capabilities: Capabilities }) =>
  Object.keys(capabilities).length > 0;

function readsOf({ dogs = [], barks = [], access = [], schedules, tokens }: Capabilities): string[] {
  return [
    ...[...dogs, ...barks, ...access].filter((action) => /^(BatchGetItem|GetItem|Query|Scan)$/.test(action)),
    ...(schedules === 'set' ? ['GetSchedule'] : []),
    ...(tokens === 'sign' ? ['GetSecretValue'] : []),
  ];
}

useDatabase();
beforeAll(() => {
  injectFaults();
  installRecorder();
});
beforeEach(reset);

describe('The preparation of a route', () => {
  test.each<Route>(routes.filter(callsServices))(
    'makes only reads that the role permits, in one round trip: $name',
    async (route) => {
      const { prepare } = await entryOf(route);
      const { calls, writes } = await recorded(async () => prepare?.());
      expect(readsOf(route.capabilities)).toEqual(
        expect.arrayContaining(calls.split(' + ').map((call) => call.replace(/^\d+ /, ''))),
      );
      expect(writes).toBe(0);
    },
  );

  test.each<Route>(routes.filter((route) => !callsServices(route)))(
    'does not exist if the route calls no service: $name',
    async (route) => {
      expect(await entryOf(route)).not.toHaveProperty('prepare');
    },
  );

  test('ignores the failure of a read, because the first request makes its own calls', async () => {
    await expect(preparation(() => Promise.reject(new Error('outage')))()).resolves.toBeUndefined();
  });

  test('aborts the reads after a second, long before the initialization times out', async () => {
    const timeout = jest.spyOn(AbortSignal, 'timeout');
    let used: AbortSignal | undefined;
    await preparation(async ({ signal }) => {
      used = signal;
    })();
    expect(timeout).toHaveBeenCalledWith(1_000);
    expect(used).toBe(timeout.mock.results[0]?.value);
  });
});

import { temporaryDirectory } from '../../test/start/support.ts';
import { runLoad } from './load.ts';

test('Under load, kill -9 of the service and then of its database loses, duplicates and hides no bark', async () => {
  const { faults, killed } = await runLoad(temporaryDirectory(), 15_000);
  expect(faults).toEqual([]);
  expect(killed).toEqual(['the service', 'its database']);
}, 400_000);

import { runLoad } from '../load/load.ts';
import { temporaryDirectory } from './support.ts';

test('Under load, with kill -9 of the service and then of its database, nothing is lost, doubled or untold', async () => {
  const { faults, killed } = await runLoad(temporaryDirectory(), 15_000);
  expect(faults).toEqual([]);
  expect(killed).toEqual(['the service', 'its database']);
}, 400_000);

import * as fc from 'fast-check';
import type { SettledOutcome } from '../../lambdas/domain/waiting/wait.ts';
import { anyEffects, settings } from './any-operation.ts';
import type { Operation } from './operations.ts';
import { idOfAcceptedBark, race, settle, useRaces } from './races.ts';
import { waitingForOutcome } from './waiting.ts';

useRaces();

race(
  'A bark that is being accepted and whose client waits, against its execution',
  {
    effects: anyEffects,
    others: fc.array(fc.constantFrom('perform', 'perform', 'put', 'show'), { minLength: 1, maxLength: 2 }),
  },
  async ({ effects, others, createHarness }) => {
    const harness = await createHarness('async', ...effects);
    const bark = idOfAcceptedBark();
    const actor = harness.actor();
    const created: Readonly<Record<(typeof others)[number], () => Operation>> = {
      perform: () => actor.performBark(bark),
      put: () => actor.put(settings('async', 'record')),
      show: () => actor.show(),
    };
    let outcome: SettledOutcome | undefined;
    const waiting = waitingForOutcome(actor.bark(), (awaited) => {
      outcome = awaited;
    });
    await harness.runConcurrently([waiting, ...others.map((other) => created[other]())]);
    // The bark has the effects of the dog at the time of its acceptance.
    const { status, effects: own = [] } = harness.model.barks[await bark] ?? {};
    const kind = own.includes('record') ? 'recorded' : own.includes('count') ? 'counted' : 'sent';
    if (outcome) expect([outcome.kind, status]).toEqual([kind, 'complete']);
    await settle(harness);
  },
  { daily: 12 },
);

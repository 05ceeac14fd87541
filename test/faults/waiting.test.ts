import type { SettledOutcome } from '../../lambdas/domain/waiting/wait.ts';
import { raceAgainstExecution, useRaces } from './races.ts';
import { waitingForOutcome } from './waiting.ts';

useRaces();

raceAgainstExecution(
  'A bark that is being accepted and whose client waits, against its execution',
  (actor) => {
    let outcome: SettledOutcome | undefined;
    return {
      operation: waitingForOutcome(actor.bark(), (awaited) => {
        outcome = awaited;
      }),
      check({ model }, bark) {
        // The bark has the effects of the dog at the time of its acceptance.
        const { status, effects = [] } = model.barks[bark] ?? {};
        const kind = effects.includes('record') ? 'recorded' : effects.includes('count') ? 'counted' : 'sent';
        if (outcome) expect([outcome.kind, status]).toEqual([kind, 'complete']);
      },
    };
  },
);

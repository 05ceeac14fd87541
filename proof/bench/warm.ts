import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { entryOf } from '../../tools/functions.ts';
import type { Table } from '../../tools/table.ts';
import { type RecordedStep, record } from './recording.ts';
import { documentedSteps } from './scenario.ts';
import type { WarmOrder, WarmTimes } from './warm-call.ts';

/** Measures warm requests without a network: the function's own code alone, and together with the SDK. */
export async function measure(): Promise<readonly Table[]> {
  const { steps, discard } = await record();
  try {
    const bareEvent = steps.find(({ name }) => name === 'PostBarks')?.event ?? {};
    const rows: string[][] = [];
    let bareTimes = '';
    for (const step of steps) {
      const { own, withSdk, bare } = await timesOf(step, bareEvent);
      bareTimes ||= bare.toFixed(0);
      rows.push([step.name, own.toFixed(0), (own / bare).toFixed(1), withSdk.toFixed(0)]);
    }
    return [
      {
        title: `Time of a warm request in microseconds. A bare middy handler with a JSON parser takes about ${bareTimes}`,
        columns: ['', 'own code', '÷ bare middy', 'with the SDK'],
        rows,
        documented: ([name]) => documentedSteps.has(String(name)),
      },
    ];
  } finally {
    discard();
  }
}

async function timesOf(step: RecordedStep, bareEvent: object): Promise<WarmTimes> {
  const child = fork(join(import.meta.dirname, 'warm-call.ts'), {
    env: { ...step.environment, NODE_OPTIONS: '--disable-warning=ExperimentalWarning' },
  });
  const reply = once(child, 'message');
  const ended = once(child, 'exit').then(([code]) => {
    throw new Error(`${step.name} ended with ${code}.`);
  });
  const order: WarmOrder = {
    entry: entryOf(step.function.name),
    event: step.event,
    recording: step.recording,
    bareEvent,
  };
  child.send(order);
  const [times] = await Promise.race([reply, ended]);
  await ended.catch(() => {});
  return times;
}

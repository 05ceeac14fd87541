import { DescribeStacksCommand } from '@aws-sdk/client-cloudformation';
import { CloudWatchLogsClient, FilterLogEventsCommand } from '@aws-sdk/client-cloudwatch-logs';
import { localTime } from '../../../bin/cli/output.ts';
import { linesOf } from '../../support/columns.ts';
import { runInProcess } from '../../support/command-line.ts';
import { mockClient } from '../../support/mock-client.ts';
import { describedStack, stackOutputs } from '../../support/stack-outputs.ts';
import { evil, printEvil } from './evil.ts';
import type { commandRunner } from './runner.ts';
import { cloudFormation } from './stack.ts';

/** Tests the commands for events. @param dogs runs a command on a stack whose outputs are those of the tests */
export function describeEvents(dogs: ReturnType<typeof commandRunner>['dogs']): void {
  const logs = mockClient(CloudWatchLogsClient);

  describe('events', () => {
    beforeEach(() => logs.reset());

    const line = (n: number, type: string, dog = 'rex') => ({
      eventId: String(n),
      timestamp: Date.now() + 60_000 + n,
      message: JSON.stringify({
        source: 'dogs',
        detail: { time: '2026-11-21T12:00:00.000Z', type, data: { dog, recorded: true } },
      }),
    });

    test('are printed as they arrive, each once', async () => {
      logs
        .on(FilterLogEventsCommand)
        .resolvesOnce({ events: [line(1, 'dogs.bark.failed')], nextToken: 'more' })
        .resolvesOnce({ events: [line(2, 'dogs.dog.created')] })
        .resolves({ events: [line(2, 'dogs.dog.created'), line(3, 'dogs.bark.completed', 'max')] });
      const { code, stdout, stderr } = await dogs('events tail --count 3');
      const noon = localTime(Date.UTC(2026, 10, 21, 12) / 1000);
      expect([code, stderr, linesOf(stdout)]).toEqual([
        0,
        '',
        [
          `${noon} dogs.bark.failed dog=rex recorded=true`,
          `${noon} dogs.dog.created dog=rex recorded=true`,
          `${noon} dogs.bark.completed dog=max recorded=true`,
          '',
        ],
      ]);
      const inputs = logs.commandCalls(FilterLogEventsCommand).map(({ args: [{ input }] }) => input);
      expect(inputs.map(({ logGroupName, nextToken }) => [logGroupName, nextToken])).toEqual([
        ['/aws/events/test', undefined],
        ['/aws/events/test', 'more'],
        ['/aws/events/test', undefined],
      ]);
    });

    test('are printed even if other entries are in the log', async () => {
      const others = ['', 'null', '{"detail":{}}', `{"detail":${'['.repeat(10_000)}${']'.repeat(10_000)}}`];
      const entries = others.map((message, i) => ({ ...line(i, 'dogs.dog.created'), message }));
      logs.on(FilterLogEventsCommand).resolves({ events: [...entries, line(9, 'dogs.dog.created')] });
      const { code, stdout, stderr } = await dogs('events tail --count 1 --json');
      expect([code, JSON.parse(stdout).type]).toEqual([0, 'dogs.dog.created']);
      const notice = 'The log /aws/events/test has an entry that is not an event of the service.\n';
      expect(stderr).toBe(notice.repeat(others.length));
    });

    test.each([
      ['--type dogs.bark', [1, 3]],
      ['--type dogs.dog.created', [2]],
      ['--dog max', [3]],
      ['--type dogs.bark --dog rex', [1]],
    ])('are filtered: %s', async (options, expected) => {
      const events = [
        line(1, 'dogs.bark.failed'),
        line(2, 'dogs.dog.created'),
        line(3, 'dogs.bark.completed', 'max'),
        line(4, 'dogs.barkless'),
      ];
      logs.on(FilterLogEventsCommand).resolves({ events });
      const { stdout } = await dogs(`events tail --json ${options} --count ${expected.length}`);
      const printed = stdout
        .trim()
        .split('\n')
        .map((text) => JSON.parse(text));
      expect(printed).toEqual(expected.map((n) => JSON.parse(events[n - 1]?.message ?? '').detail));
    });

    test('are printed without control characters', async () => {
      const detail = { time: evil, type: evil, data: { dog: evil, [evil]: evil } };
      logs
        .on(FilterLogEventsCommand)
        .resolves({ events: [{ ...line(1, ''), message: JSON.stringify({ detail }) }] });
      expect(await printEvil(dogs, 'events tail --count 1')).toEqual(detail);
    });

    test('of a stack without a log of events do not exist', async () => {
      const { EventLog: _, ...others } = stackOutputs();
      cloudFormation.on(DescribeStacksCommand, { StackName: 'Other' }).resolves(describedStack(others));
      const { stderr } = await runInProcess(['events', 'tail', '--stack', 'Other']);
      expect(stderr).toContain('The service publishes no events.');
    });
  });
}

import { appendFileSync, existsSync, readFileSync, symlinkSync, unlinkSync } from 'node:fs';
import { type AuthorizationDecision, DecisionLog } from '../../../local/iam/decision-log.ts';
import { arn } from '../../../local/template/arns.ts';
import { useTestCloud } from '../../support/emulators.ts';
import { authorizationDecisions } from '../../support/permissions.ts';

const cloud = useTestCloud();
const open = () => new DecisionLog(cloud.file('permissions.jsonl'));
const kept = () => authorizationDecisions(cloud.directory);

const any = arn('scheduler', 'schedule/dogs/*');
const allowed: AuthorizationDecision = {
  caller: 'PatchDog',
  action: 'scheduler:DeleteSchedule',
  resource: arn('scheduler', 'schedule/dogs/rex.1'),
  context: {},
  allowedBy: [any],
};
const denied: AuthorizationDecision = { ...allowed, action: 'scheduler:GetSchedule', allowedBy: [] };

test('keeps one decision for each action and statement, with the first resource', () => {
  const log = open();
  for (const one of [allowed, denied])
    for (const dog of ['rex', 'max', 'rex'])
      log.add({ ...one, resource: arn('scheduler', `schedule/dogs/${dog}.1`) });
  expect(kept()).toEqual([allowed, denied]);
});

test.each<[string, Partial<AuthorizationDecision>]>([
  ['another function', { caller: 'PurgeDog' }],
  ['another action', { action: 'scheduler:CreateSchedule' }],
  ['another statement', { allowedBy: [any, '*'] }],
  ['another context', { context: { 'aws:ResourceAccount': '1' } }],
  ['a refusal', { allowedBy: [] }],
])('keeps a separate decision for %s', (_, other) => {
  const log = open();
  for (const decision of [allowed, { ...allowed, ...other }]) log.add(decision);
  expect(kept()).toEqual([allowed, { ...allowed, ...other }]);
});

test('reads its decisions after a restart, even after an incomplete line', () => {
  const file = cloud.file('permissions.jsonl');
  open().add(allowed);
  appendFileSync(file, '{"caller":"Pat');
  const log = open();
  log.add(allowed);
  log.add(denied);
  const lines = readFileSync(file, 'utf8').split('\n');
  expect(lines).toEqual([JSON.stringify(allowed), '{"caller":"Pat', JSON.stringify(denied), '']);
});

// Only Linux has this file, to which every write fails with ENOSPC.
(existsSync('/dev/full') ? test : test.skip)(
  'keeps a decision that could not be written when there is space',
  () => {
    const log = open();
    const file = cloud.file('permissions.jsonl');
    symlinkSync('/dev/full', file);
    log.add(denied);
    expect(cloud.logged).toEqual([expect.stringMatching(/permissions\.jsonl cannot be written: ENOSPC/)]);
    unlinkSync(file);
    log.add(denied);
    log.add(denied);
    expect(kept()).toEqual([denied]);
  },
);

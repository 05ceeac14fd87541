import { appendFileSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type AuthorizationDecision, DecisionLog } from '../../../local/iam/decision-log.ts';
import { arn } from '../../../local/template/arns.ts';
import { authorizationDecisions, deniedPermissions } from '../../support/permissions.ts';

let directory: string;
let file: string;

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'permissions-'));
  file = join(directory, 'permissions.jsonl');
});

afterEach(() => rmSync(directory, { recursive: true }));

const any = arn('scheduler', 'schedule/dogs/*');
const allowed: AuthorizationDecision = {
  caller: 'PatchDog',
  action: 'scheduler:DeleteSchedule',
  resource: arn('scheduler', 'schedule/dogs/rex.1'),
  context: {},
  allowedBy: [any],
};
const denied: AuthorizationDecision = { ...allowed, action: 'scheduler:GetSchedule', allowedBy: [] };

test('writes each decision as a line that only the owner can read', () => {
  const log = new DecisionLog(file);
  log.add(allowed);
  log.add(denied);
  expect(authorizationDecisions(directory)).toEqual([allowed, denied]);
  expect(statSync(file).mode & 0o777).toBe(0o600);
});

test('keeps one decision for each combination of action and statements, with the first resource', () => {
  const log = new DecisionLog(file);
  for (const one of [allowed, denied])
    for (const dog of ['rex', 'max', 'rex'])
      log.add({ ...one, resource: arn('scheduler', `schedule/dogs/${dog}.1`) });
  expect(authorizationDecisions(directory)).toEqual([allowed, denied]);
});

test.each<[string, Partial<AuthorizationDecision>]>([
  ['another function', { caller: 'PurgeDog' }],
  ['another action', { action: 'scheduler:CreateSchedule' }],
  ['another statement', { allowedBy: [any, '*'] }],
  ['another context', { context: { 'aws:ResourceAccount': '1' } }],
  ['a refusal', { allowedBy: [] }],
])('keeps a separate decision for %s', (_, other) => {
  const log = new DecisionLog(file);
  log.add(allowed);
  log.add({ ...allowed, ...other });
  expect(authorizationDecisions(directory)).toEqual([allowed, { ...allowed, ...other }]);
});

test('reads its decisions after a restart, even after an incomplete line', () => {
  new DecisionLog(file).add(allowed);
  appendFileSync(file, '{"caller":"Pat');
  const log = new DecisionLog(file);
  log.add(allowed);
  log.add(denied);
  const lines = readFileSync(file, 'utf8').split('\n');
  expect(lines).toEqual([JSON.stringify(allowed), '{"caller":"Pat', JSON.stringify(denied), '']);
});

test('deniedPermissions returns only the denied permissions', () => {
  const log = new DecisionLog(file);
  log.add(allowed);
  expect(deniedPermissions(directory)).toEqual([]);
  log.add(denied);
  expect(deniedPermissions(directory)).toEqual([
    `PatchDog: scheduler:GetSchedule on ${arn('scheduler', 'schedule/dogs/rex.1')}`,
  ]);
});

test('deniedPermissions throws an error if nothing was recorded', () => {
  expect(() => deniedPermissions(directory)).toThrow('permissions.jsonl');
});

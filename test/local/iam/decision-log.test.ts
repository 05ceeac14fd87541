import { appendFileSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type JudgedNeed, PermissionRecord } from '../../../local/iam/decision-log.ts';
import { arn } from '../../../local/template/template.ts';
import { neededPermissions, refusedPermissions } from '../../support/permissions.ts';

let directory: string;
let file: string;

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'permissions-'));
  file = join(directory, 'permissions.jsonl');
});

afterEach(() => rmSync(directory, { recursive: true }));

const any = arn('scheduler', 'schedule/dogs/*');
const allowed: JudgedNeed = {
  caller: 'PatchDog',
  action: 'scheduler:DeleteSchedule',
  resource: arn('scheduler', 'schedule/dogs/rex.1'),
  context: {},
  allowedBy: [any],
};
const refused: JudgedNeed = { ...allowed, action: 'scheduler:GetSchedule', allowedBy: [] };

test('What a function needed is kept whole, a line each, for its owner alone', () => {
  const record = new PermissionRecord(file);
  record.note(allowed);
  record.note(refused);
  expect(neededPermissions(directory)).toEqual([allowed, refused]);
  expect(statSync(file).mode & 0o777).toBe(0o600);
});

test('An action is kept once for what allows it, with the first resource, however many there are', () => {
  const record = new PermissionRecord(file);
  for (const one of [allowed, refused])
    for (const dog of ['rex', 'max', 'rex'])
      record.note({ ...one, resource: arn('scheduler', `schedule/dogs/${dog}.1`) });
  expect(neededPermissions(directory)).toEqual([allowed, refused]);
});

test.each<[string, Partial<JudgedNeed>]>([
  ['another function', { caller: 'PurgeDog' }],
  ['another action', { action: 'scheduler:CreateSchedule' }],
  ['another statement', { allowedBy: [any, '*'] }],
  ['another context', { context: { 'aws:ResourceAccount': '1' } }],
  ['a refusal', { allowedBy: [] }],
])('It is kept once more for %s', (_, other) => {
  const record = new PermissionRecord(file);
  record.note(allowed);
  record.note({ ...allowed, ...other });
  expect(neededPermissions(directory)).toEqual([allowed, { ...allowed, ...other }]);
});

test('What was kept is known after a restart, also after a line that was torn', () => {
  new PermissionRecord(file).note(allowed);
  appendFileSync(file, '{"caller":"Pat');
  const record = new PermissionRecord(file);
  record.note(allowed);
  record.note(refused);
  const lines = readFileSync(file, 'utf8').split('\n');
  expect(lines).toEqual([JSON.stringify(allowed), '{"caller":"Pat', JSON.stringify(refused), '']);
});

test('The end of the suite finds the refusals, and nothing else', () => {
  const record = new PermissionRecord(file);
  record.note(allowed);
  expect(refusedPermissions(directory)).toEqual([]);
  record.note(refused);
  expect(refusedPermissions(directory)).toEqual([
    `PatchDog: scheduler:GetSchedule on ${arn('scheduler', 'schedule/dogs/rex.1')}`,
  ]);
});

test('The end of the suite does not take a service for faultless that has recorded nothing', () => {
  expect(() => refusedPermissions(directory)).toThrow('permissions.jsonl');
});

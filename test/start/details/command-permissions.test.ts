import { readFileSync } from 'node:fs';
import { operator as caller } from '@rest-actions/local-cloud/parts';
import { operatorPolicies, readAssembly } from '@rest-actions/local-cloud/template';
import { eventually } from '@rest-actions/local-cloud/testing';
// @extension verify {
import { newContext } from '../../../bin/cli/parameters.ts';
import { revokeClient } from '../../../lambdas/domain/access/clients.ts';
import { revokeGrant } from '../../../lambdas/domain/access/grants.ts';
import { grantName } from '../../../lambdas/domain/access/keys.ts';
import { revokeUser } from '../../../lambdas/domain/access/users.ts';
// @extension verify }
import { commandRunner } from '../../bin/cli/runner.ts';
import { Client } from '../../support/client.ts';
import { authorizationDecisions, deniedPermissions, recordingStart } from '../../support/permissions.ts';
import { preparedStack } from '../../support/prepare-services.ts';
import { grantsOf, stackName, superfluous } from '../grants.ts';
import { operatorAccess } from '../operator-access.ts';
import { testResourceCommands } from '../resource-commands.ts'; // @extension cli
import { client, service, useService } from '../support.ts';

const directory = useService({ command: recordingStart });
const grants = operatorPolicies(readAssembly(preparedStack).template).flatMap(grantsOf);

/** Runs commands as on a deployed stack: their credentials have only the permissions of the operator's policy. */
const runner = commandRunner('--stack', stackName);

/** Runs commands that must succeed. @returns the JSON that the last one prints */
async function operate(...lines: string[]) {
  let printed: Awaited<ReturnType<typeof runner.json>>;
  for (const line of lines) printed = await runner.json(line);
  return printed;
}

beforeAll(() => {
  const { endpoint, region, credentials } = operatorAccess(directory).operator;
  Object.assign(process.env, {
    AWS_ENDPOINT_URL: endpoint,
    AWS_REGION: region,
    AWS_ACCESS_KEY_ID: credentials.accessKeyId,
    AWS_SECRET_ACCESS_KEY: credentials.secretAccessKey,
  });
});

test('access create needs the permissions of the role in docs/deploy-test-role.yaml', async () => {
  await operate('access create ci --reveal');
  const role = readFileSync('docs/deploy-test-role.yaml', 'utf8');
  const [, policy = ''] = role.split('PolicyName: CreateAccess');
  const granted = policy.match(/\b(?:cloudformation|dynamodb|secretsmanager):[A-Z]\w+/g) ?? [];
  const used = needs().map(({ action }) => action);
  expect([...new Set(used)].sort()).toEqual(granted.sort());
});

describe('with only the policy of the stack', () => {
  test('the commands for access and keys work', async () => {
    const created = await operate('access create tester --credential dogs --reveal');
    expect(await new Client(created).get('/v1/dogs/')).toMatchObject({ status: 200 });
    const { kid } = await operate('keys rotate');
    await operate('keys list', `keys get ${kid}`);
  });

  test('the commands for credentials work', async () => {
    const { auth_url, client_id, client_secret, refresh_token } = service.access;
    const input = JSON.stringify({ auth_url, client_id, client_secret, refresh_token });
    await runner.json('credentials put dogs', { input });
    await operate('credentials list', `credentials move dogs ${client.baseUrl} ${client.baseUrl}`);
    expect(await operate('credentials get dogs --reveal')).toMatchObject({ refresh_token });
  });

  // @extension verify {
  test('npm run verify can delete the user, the client and the grant that it has created', async () => {
    const name = 'verify';
    await operate(`access create ${name} --reveal`);
    await revokeGrant(grantName(name, name), newContext());
    await revokeClient(name, newContext());
    await revokeUser(name, newContext());
  });
  // @extension verify }

  testResourceCommands(directory, operate, runner.dogs); // @extension cli
});

const needs = () => authorizationDecisions(directory).filter((need) => need.caller === caller);

test('the policy grants each action of the commands', async () => {
  const denied: string[] = [
    `${caller}: dynamodb:DescribeTable on arn:aws:dynamodb:us-east-1:000000000000:table/foreign`, // @extension cli
  ];
  await eventually(async () => expect(deniedPermissions(service.output())).toEqual(denied));
});

test('the commands use each grant, and are refused without it', () => {
  expect(superfluous(grants, needs())).toEqual([]);
  expect(grants.length).toBeGreaterThan(40); // @extension cli
});

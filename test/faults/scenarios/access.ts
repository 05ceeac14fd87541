import { isDeepStrictEqual } from 'node:util';
import { ScanCommand } from '@aws-sdk/lib-dynamodb';
import { database } from '../../../lambdas/domain/platform/dynamodb.ts';
import { signAccessToken } from '../../../lambdas/domain/tokens/access-token.ts';
import { signingKey } from '../../../lambdas/domain/tokens/signing-keys.ts';
import { handler as authorizer } from '../../../lambdas/jobs/authorizer.ts';
import { context } from '../../../tools/invocation.ts';
import { createAccess, type GrantedAccess, tokenRequestOf } from '../../support/access.ts';
import { authorizerEvent } from '../../support/authorizer-event.ts';
import { basic } from '../../support/client.ts';
import { secrets } from '../../support/faults.ts';
import { again, request, type Scenario, type Subject } from '../scenario.ts';
import { bodyOf, type InvocationResult, isDone, isRefused } from '../trial.ts';

/** Returns the scenario of a call with credentials. @param admits true if the credentials are valid */
function admitting(
  of: string,
  as: string,
  admits: boolean,
  actOf: (access: GrantedAccess, at: number) => Promise<Subject['act']>,
): Scenario {
  return {
    of,
    as,
    alone: true,
    refuses: !admits,
    async begin(at) {
      const access = await createAccess(contextAt(at));
      const act = await actOf(access, at);
      const before = await allOfAccess();
      const { password, clientSecret, refreshToken } = access;
      return {
        act,
        async check(verdict, first, trial) {
          const check = (outcome: InvocationResult) => {
            verdict.expectThat(admits || !isDone(outcome), 'invalid credentials were accepted');
            verdict.expectThat(!admits || !isRefused(outcome), 'valid credentials were refused');
            if (of !== 'authorizer') verdict.checkResponse(outcome, admits ? 200 : 401);
          };
          check(first);
          const second = await again(act, trial, 1, at);
          check(second);
          if (of === 'GET the keys' && isDone(first))
            verdict.expectThat(bodyOf(first) === bodyOf(second), 'the key set is incomplete');
          verdict.expectThat(isDone(second) === admits, 'the result of the repeat differs');
          verdict.expectThat(isRefused(second) === !admits, 'the repeat was neither refused nor accepted');
          const after = await allOfAccess();
          verdict.expectThat(isDeepStrictEqual(after, before), 'it has changed something');
          for (const secret of [password, clientSecret, refreshToken])
            verdict.expectThat(
              !`${JSON.stringify(after)}${trial.logged}`.includes(secret),
              'a secret is stored or logged in clear text',
            );
        },
      };
    },
  };
}

async function allOfAccess(): Promise<unknown[]> {
  const { Items } = await database.send(
    new ScanCommand({ TableName: process.env.ACCESS_TABLE, ConsistentRead: true }),
  );
  return [Items, [...secrets]];
}

function authorize(authorization: string): Subject['act'] {
  const event = authorizerEvent({ Authorization: authorization });
  return (limit) => authorizer(event, context(1_000 + limit));
}

const contextAt = (now: number) => () => ({ now, signal: new AbortController().signal });

async function bearer(at: number, issued = at): Promise<string> {
  const grantee = { user: 'jane', client: 'walker' };
  return `Bearer ${await signAccessToken(grantee, await signingKey(contextAt(at)()), contextAt(issued)())}`;
}

function exchange(access: GrantedAccess): Subject['act'] {
  return request('IssueToken', { body: tokenRequestOf(access) });
}

export const access: readonly Scenario[] = [
  admitting('authorizer', 'by password', true, async ({ password }) => authorize(basic('jane', password))),
  admitting('authorizer', 'by a wrong password', false, async () => authorize(basic('jane', 'wrong'))),
  admitting('authorizer', 'by an access token', true, async (_, at) => authorize(await bearer(at))),
  admitting('authorizer', 'by an expired access token', false, async (_, at) =>
    authorize(await bearer(at, at - 7_200_000)),
  ),
  admitting('POST token', 'by a refresh token', true, async (access) => exchange(access)),
  admitting('POST token', 'with a wrong secret', false, async (access) =>
    exchange({ ...access, clientSecret: 'wrong' }),
  ),
  admitting('GET the keys', 'that are published', true, async () => request('GetKeys')),
];

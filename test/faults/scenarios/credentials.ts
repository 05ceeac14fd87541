import { handler as refreshCredentials } from '../../../lambdas/jobs/refresh-credentials.ts';
import { context } from '../../../tools/invocation.ts';
import { credentialOf } from '../../support/credentials.ts';
import { secrets } from '../../support/faults.ts';
import { again, type Scenario, type Subject } from '../scenario.ts';
import { isDone } from '../trial.ts';

const names = { name: 'kept', client: 'kept-client', credential: 'kept-credential' };

let issued = 0;

/** Lets a token endpoint issue a new refresh token each time during a file's tests. It accepts all tokens that it has issued. */
export function useTokenEndpoint(): void {
  const { fetch } = globalThis;
  beforeAll(() => {
    jest.spyOn(globalThis, 'fetch').mockImplementation(async (url, request) => {
      // The reader of the streams also calls fetch.
      if (!String(url).startsWith(client.auth_url)) return fetch(url, request);
      issued += 1;
      const token = { access_token: `access-${issued}`, refresh_token: `refresh-${issued}` };
      return Response.json({ ...token, token_type: 'Bearer', expires_in: 3599 });
    });
  });
}

const client = { auth_url: 'https://tokens.example', client_id: 'walker', client_secret: 'hush-hush' };

const refresh: Scenario = {
  of: 'refresh-credentials',
  as: 'of a credential that expires soon',
  alone: true,
  async begin(at) {
    const old = { ...credentialOf('access-old', at / 1000 - 3_000), refresh_token: 'refresh-old' };
    process.env.CREDENTIALS = JSON.stringify([names]);
    secrets.set(names.client, JSON.stringify(client));
    secrets.set(names.credential, JSON.stringify(old));
    const stored = () => JSON.parse(secrets.get(names.credential) ?? '{}');
    const isNew = () => {
      const [, n] = /^access-(\d+)$/.exec(stored().access_token) ?? [];
      const whole = { ...old, access_token: `access-${n}`, refresh_token: `refresh-${n}` };
      return JSON.stringify({ ...stored(), created: 0 }) === JSON.stringify({ ...whole, created: 0 });
    };
    const isOld = () => JSON.stringify(stored()) === JSON.stringify(old);
    const act: Subject['act'] = (limit) => refreshCredentials({}, context(2_000 + limit));
    return {
      act,
      async check(verdict, first, trial) {
        verdict.expectThat(
          isOld() || isNew(),
          'the secret is neither the old credential nor a complete new one',
        );
        if (isDone(first)) verdict.expectThat(isNew(), 'the new credential is lost');
        verdict.expectThat(isDone(await again(act, trial, 60, at)), 'the next try fails');
        verdict.expectThat(isNew(), 'the next try has not refreshed it');
        const { access_token } = stored();
        await again(act, trial, 600, at);
        verdict.expectThat(stored().access_token === access_token, 'it is refreshed too often');
        verdict.expectThat(
          !/hush-hush|(access|refresh)-(old|\d)/.test(trial.logged),
          'a secret is logged in clear text',
        );
      },
    };
  },
};

export const credentials: readonly Scenario[] = [refresh];

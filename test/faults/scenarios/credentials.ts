import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { handler as refreshCredentials } from '../../../lambdas/jobs/refresh-credentials.ts';
import { context } from '../../../tools/invocation.ts';
import { secrets } from '../../support/faults.ts';
import { again, type Scenario, type Subject, Verdict } from '../scenario.ts';
import { isDone } from '../trial.ts';

const names = { name: 'kept', client: 'kept-client', credential: 'kept-credential' };

let issued = 0;

/** A token endpoint that issues a new refresh token each time, and accepts all refresh tokens that it has issued. */
const endpoint = createServer((_request, response) => {
  issued += 1;
  const token = { access_token: `access-${issued}`, refresh_token: `refresh-${issued}`, expires_in: 3599 };
  response
    .writeHead(200, { 'Content-Type': 'application/json' })
    .end(JSON.stringify({ ...token, token_type: 'Bearer' }));
});

/** Runs the token endpoint during the tests of a file. */
export function useTokenEndpoint(): void {
  beforeAll(() => new Promise<void>((resolve) => void endpoint.listen(0, '127.0.0.1', resolve)));
  afterAll(() => {
    endpoint.close();
    endpoint.closeAllConnections();
  });
}

const refresh: Scenario = {
  of: 'refresh-credentials',
  as: 'of a credential that expires soon',
  alone: true,
  async begin(at) {
    const { port } = endpoint.address() as AddressInfo;
    const client = { auth_url: `http://127.0.0.1:${port}`, client_id: 'walker', client_secret: 'hush-hush' };
    const old = {
      access_token: 'access-old',
      token_type: 'Bearer',
      expires_in: 3599,
      refresh_token: 'refresh-old',
      created: at / 1000 - 3_000,
    };
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
      async check(first, trial) {
        const verdict = new Verdict();
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
        return verdict;
      },
    };
  },
};

export const credentials: readonly Scenario[] = [refresh];

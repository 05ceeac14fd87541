import { operatorGroup } from '../operator-group.ts';

const credential = { credential: 'a name in the `credentials` setting' };

/** The groups without which the service cannot be used: they create secrets, which nobody can write to the tables. */
export const accessGroups = {
  access: operatorGroup(
    'a user, a client and a grant, created in one step',
    () => import('../commands/access.ts'),
    {
      create: {
        summary: 'create a user, a client with the same name, and a grant for both',
        details:
          'The command shows the password, the client secret and the refresh token once. With --reveal --json, the output has the format of .local/access.json.',
        arguments: { name: 'the name of the user and the client' },
        options: ['credential', 'replace', 'reveal', 'yes'],
        createsSecret: true,
        question: ({ replace }, name) =>
          replace
            ? `This invalidates the password, the client secret and the refresh token of "${name}".`
            : undefined,
        example: 'tester --credential dogs',
      },
    },
  ),
  keys: operatorGroup('the keys that sign access tokens', () => import('../commands/keys.ts'), {
    list: {
      summary: 'list the published keys',
      times: ['expires'],
    },
    get: {
      summary: 'show the public part of a key as a JWK',
      arguments: { kid: 'the ID of the key' },
      example: '01KAJ6W1T8N5Q6ZC2M7V4R3XDB --json',
    },
    rotate: {
      summary: 'create a new key, which begins to sign tokens after one minute',
      details:
        'The first key begins to sign immediately. An old key stays published until the last token that it signed expires, so that no token becomes invalid.',
      times: ['signs_from'],
    },
  }),
  credentials: operatorGroup(
    'the OAuth credentials that the service refreshes',
    () => import('../commands/credentials.ts'),
    {
      list: {
        summary: 'list the credentials',
        times: ['expires'],
      },
      get: {
        summary: 'show a credential',
        arguments: credential,
        options: ['reveal'],
        secrets: ['access_token', 'refresh_token'],
        times: ['created'],
        example: 'dogs --reveal --json',
      },
      put: {
        summary: 'store a credential from JSON on standard input',
        details:
          'The input is an object with "auth_url", "client_id", "client_secret" and "refresh_token". If the token endpoint refuses the refresh token, the stored credential does not change.',
        arguments: credential,
        example: 'dogs < credential.json',
      },
      move: {
        summary: 'change the URL of the token endpoint, if the current URL is <from>',
        arguments: { ...credential, from: 'the current auth_url', to: 'the new auth_url' },
        example: 'dogs https://old.example https://new.example',
      },
    },
  ),
};

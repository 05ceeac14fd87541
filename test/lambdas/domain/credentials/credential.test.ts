import { syncBuiltinESMExports } from 'node:module';
import os from 'node:os';
import * as v from 'valibot';
import { Credential, CredentialClient } from '../../../../lambdas/domain/credentials/credential.ts';

const entry = { netmask: '', mac: '', cidr: null, internal: false };

beforeAll(() => {
  jest.spyOn(os, 'networkInterfaces').mockReturnValue({
    eth0: [
      { ...entry, family: 'IPv4', address: '192.0.2.7' },
      { ...entry, family: 'IPv6', address: '2001:db8::7', scopeid: 0 },
    ],
  });
  syncBuiltinESMExports();
});

afterAll(() => {
  jest.restoreAllMocks();
  syncBuiltinESMExports();
});

const client = { auth_url: 'https://dogs.example.com', client_id: 'walker', client_secret: 'hush' };
const credential = {
  access_token: 'access',
  token_type: 'Bearer',
  expires_in: 3600,
  refresh_token: 'refresh',
  created: 1_795_262_400,
};

/** Returns the first message for each invalid member. */
function issuesOf(schema: v.GenericSchema, value: unknown): Record<string, string> {
  const { issues = [] } = v.safeParse(schema, value);
  return Object.fromEntries(issues.map((issue) => [v.getDotPath(issue), issue.message]).reverse());
}

describe('A client', () => {
  test.each([
    ['https://dogs.example.com/prod/', 'https://dogs.example.com/prod'],
    ['http://127.0.0.1:3000', 'http://127.0.0.1:3000'],
    ['http://localhost/', 'http://localhost'],
    ['http://127.0.0.2:3000', 'http://127.0.0.2:3000'],
    ['http://[::1]:3000', 'http://[::1]:3000'],
    ['http://192.0.2.7:3000', 'http://192.0.2.7:3000'],
    ['http://[2001:db8::7]:3000', 'http://[2001:db8::7]:3000'],
  ])('with the URL %s has the base URL %s', (auth_url, base) => {
    expect(v.parse(CredentialClient, { ...client, auth_url })).toEqual({ ...client, auth_url: base });
  });

  test.each<[object, Record<string, string>]>([
    [{ auth_url: undefined }, { auth_url: 'is required' }],
    [{ auth_url: 'dogs.example.com' }, { auth_url: 'must be an https URL' }],
    [{ auth_url: 'http://dogs.example.com' }, { auth_url: 'must be an https URL, or a URL of this machine' }],
    [
      { auth_url: 'http://localhost.example' },
      { auth_url: 'must be an https URL, or a URL of this machine' },
    ],
    ...[
      'x:https://dogs.example.com',
      'ftp://127.0.0.1',
      'http://127.0.0.1:80@dogs.example.com',
      'http://127.0.0.1.example.com',
      'http://127.example.com',
      'http://[::2]',
      'http://0.0.0.0:3000',
      'http://192.0.2.8:3000',
    ].map((auth_url): [object, Record<string, string>] => [
      { auth_url },
      { auth_url: 'must be an https URL, or a URL of this machine' },
    ]),
    [{ client_id: undefined }, { client_id: 'is required' }],
    [{ client_id: '' }, { client_id: 'is required' }],
    [{ client_secret: undefined }, { client_secret: 'is required' }],
    [{ client_secret: '' }, { client_secret: 'is required' }],
  ])('with %j is refused: %j', (changes, issues) => {
    expect(issuesOf(CredentialClient, { ...client, ...changes })).toEqual(issues);
  });

  test('with another member is refused', () => {
    expect(v.is(CredentialClient, { ...client, scope: 'all' })).toBe(false);
    expect(v.is(CredentialClient, { ...client, issuer: 'https://dogs.example.com' })).toBe(true);
  });
});

describe('A credential', () => {
  test('has exactly five members', () => {
    expect(v.is(Credential, credential)).toBe(true);
    expect(v.is(Credential, { ...credential, scope: 'all' })).toBe(false);
    for (const name of Object.keys(credential))
      expect(v.is(Credential, { ...credential, [name]: undefined })).toBe(false);
  });

  test.each([
    { token_type: 'bearer' },
    { expires_in: -1 },
    { expires_in: 1.5 },
    { refresh_token: '' },
    { created: 1.5 },
  ])('with %j is refused', (changes) => {
    expect(v.is(Credential, { ...credential, ...changes })).toBe(false);
  });
});

import type { Page } from 'playwright-core';
import type { Service } from '../../tools/service.ts';
import { type Client, header } from '../support/client.ts';

export const schemes = ['light', 'dark'] as const;
export const sizes = {
  wide: { width: 1440, height: 900 },
  medium: { width: 1024, height: 768 },
  narrow: { width: 390, height: 844 },
} as const;

/** A state of the console. */
export interface View {
  /** The fragment of the URL. */
  readonly address: string;
  readonly isSignedOut?: boolean;
  /** Brings the page into the state, and waits for it. */
  show(page: Page, client: Client, service: Service): Promise<unknown>;
}

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
const field = (page: Page, name: string) => page.getByLabel(name, { exact: true });

/** Fills in the form of the view of tokens, and sends it. */
async function getToken(page: Page, { client_id, client_secret, refresh_token }: Service['access']) {
  await field(page, 'client_id').fill(client_id ?? '');
  await field(page, 'client_secret').fill(client_secret ?? '');
  await field(page, 'refresh_token').fill(refresh_token ?? '');
  await button(page, 'Get an access token').click();
  await page.getByText('Expires in').waitFor();
}

/** Sends the settings of a form after another client has changed the dog, whose change the page has not noticed. */
async function refuse(page: Page, client: Client, dog: string): Promise<void> {
  await client.put(`/v1/dogs/${dog}/`, { email: 'first@example.com' });
  await page.goto(`${page.url().split('#')[0]}#dogs/${dog}/settings`);
  await button(page, 'Replace the settings').waitFor();
  let isUpToDate = false;
  await page.route(`**/v1/dogs/${dog}/`, async (route) => {
    if (route.request().method() === 'PUT') isUpToDate = true;
    if (isUpToDate) await route.continue();
    else await route.fulfill({ status: 304 });
  });
  await field(page, 'email').fill('mine@example.com');
  await client.put(`/v1/dogs/${dog}/`, { email: 'new@example.com', barkHandling: 'async' });
  await button(page, 'Replace the settings').click();
  await page.getByText('Another client has changed the dog’s settings').waitFor();
}

/** The states of the console, by name. Each is independent of the others. */
export const views = {
  'sign-in': {
    address: '',
    isSignedOut: true,
    show: (page) => button(page, 'Sign in').waitFor(),
  },
  'sign-in-failed': {
    address: '',
    isSignedOut: true,
    show: async (page) => {
      await field(page, 'User name').fill('dog-lover');
      await field(page, 'Password').fill('wrong');
      await button(page, 'Sign in').click();
      await page.getByRole('alert').waitFor();
    },
  },
  home: {
    address: '',
    show: (page) =>
      page.getByRole('navigation', { name: 'Dogs' }).getByRole('link', { name: 'rex' }).waitFor(),
  },
  'activity-empty': {
    address: '#activity',
    show: async (page) => {
      await button(page, 'Cancellations').click();
      await page.getByText('No entries of this kind yet.').waitFor();
    },
  },
  activity: {
    address: '#activity',
    show: (page) => page.getByRole('log').getByRole('listitem').first().waitFor(),
  },
  requests: {
    address: '#dogs/rex',
    show: async (page) => {
      await button(page, 'Bark').click();
      await page.getByText('The dog barked.').first().waitFor();
      await page.getByRole('link', { name: 'Requests', exact: true }).click();
      await page.locator('.entries').getByText('/v1/dogs/rex/barks').first().waitFor();
    },
  },
  request: {
    address: '#dogs/rex',
    show: async (page) => {
      await views.requests.show(page);
      await page.getByRole('button', { name: 'POST /v1/dogs/rex/barks' }).first().click();
      await button(page, 'Edit and send').waitFor();
    },
  },
  'request-composer': {
    address: '#requests',
    show: async (page) => {
      await button(page, 'New request').click();
      await field(page, 'Path').fill('v1');
      await field(page, 'Header fields').fill('Accept');
      await field(page, 'Body').fill('{}');
      await button(page, 'Send').click();
      await page.getByText('The path must begin with a slash.').waitFor();
    },
  },
  tokens: {
    address: '#tokens',
    show: (page) => button(page, 'Get an access token').waitFor(),
  },
  'tokens-errors': {
    address: '#tokens',
    show: async (page) => {
      await button(page, 'Get an access token').click();
      await page.getByText('Enter the client_id.').waitFor();
    },
  },
  'token-accepted': {
    address: '#tokens',
    show: async (page, _, { access }) => {
      await getToken(page, access);
      await button(page, 'Try it').click();
      await page.getByText('The service accepted the token').waitFor();
    },
  },
  'token-refused': {
    address: '#tokens',
    show: async (page, _, { access }) => {
      await getToken(page, access);
      await button(page, 'Try it with a damaged signature').click();
      await page.getByRole('alert').waitFor();
    },
  },
  'new-dog': {
    address: '#new',
    show: (page) => button(page, 'Create the dog').waitFor(),
  },
  'new-dog-errors': {
    address: '#new?id=a%20b',
    show: async (page) => {
      await page.getByLabel('emailDog').check();
      await button(page, 'Create the dog').click();
      await page.getByText('Enter an email address').waitFor();
    },
  },
  'new-dog-exists': {
    address: '#new?id=rex',
    show: async (page) => {
      await button(page, 'Create the dog').click();
      await page.getByText('A dog named rex already exists.').waitFor();
    },
  },
  'dog-created': {
    address: '#new',
    show: async (page) => {
      await field(page, 'ID').fill('bella');
      await button(page, 'Create the dog').click();
      await page.getByRole('status').getByText('was created').waitFor();
    },
  },
  'dog-before-bark': {
    address: '#dogs/rex',
    show: (page) => button(page, 'Bark').waitFor(),
  },
  dog: {
    address: '#dogs/rex',
    show: async (page) => {
      await field(page, 'Message').fill('The postman is here');
      await button(page, 'Bark').click();
      await page.getByText('The dog barked.').first().waitFor();
    },
  },
  'dog-failed': {
    address: '#dogs/rex',
    show: async (page) => {
      const json = { title: 'Service Unavailable', status: 503, detail: 'SES did not respond. Try again.' };
      await page.route('**/barks', (route) =>
        route.fulfill({ status: 503, contentType: 'application/problem+json', body: JSON.stringify(json) }),
      );
      await button(page, 'Bark').click();
      await page.getByRole('alert').getByText('SES did not respond.').waitFor();
    },
  },
  'dog-in-flight': {
    address: '#dogs/rex',
    show: async (page) => {
      await page.route('**/barks', () => {});
      await button(page, 'Bark').click();
      await page.getByText('in flight …').waitFor();
    },
  },
  'dog-pending': {
    address: '#dogs/record-async',
    show: async (page) => {
      await page.route('**/barks/a*', (route) => {
        const [, id = ''] = route.request().url().split('barks/');
        return route.fulfill({ json: { id, dog: '', timestamp: null, status: 'pending' } });
      });
      await button(page, 'Bark').click();
      await button(page, 'Cancel').waitFor();
    },
  },
  'dog-barked-later': {
    address: '#dogs/record-async',
    show: async (page) => {
      await button(page, 'Bark').click();
      await page.locator('.bark-progress.complete').waitFor();
    },
  },
  schedule: {
    address: '#dogs/rex/schedule',
    show: (page) => button(page, 'End the schedule').waitFor(),
  },
  'schedule-errors': {
    address: '#dogs/rex/schedule',
    show: async (page) => {
      await page.getByLabel('POST bark-schedule').check();
      await page.getByLabel('At a time').check();
      await field(page, 'Time').fill('2020-01-01T00:00');
      await field(page, 'Minutes from one bark to the next').fill('x');
      await field(page, 'Token').fill('x');
      await button(page, 'Set the schedule').click();
      await page.locator('.field-error').nth(2).waitFor();
    },
  },
  history: {
    address: '#dogs/rex/history',
    show: (page) => page.locator('.bark-table').waitFor(),
  },
  'history-empty': {
    address: '#dogs/count-sync/history',
    show: (page) => page.getByRole('figure').waitFor(),
  },
  settings: {
    address: '#dogs/rex/settings',
    show: (page) => button(page, 'Replace the settings').waitFor(),
  },
  'settings-conflict': {
    address: '',
    show: (page, client) => refuse(page, client, 'luna'),
  },
  'settings-merge': {
    address: '',
    show: async (page, client) => {
      await refuse(page, client, 'milo');
      await button(page, 'Merge both changes').click();
      await page.getByRole('form', { name: 'Merge' }).waitFor();
    },
  },
  delete: {
    address: '#dogs/rex/settings',
    show: async (page) => {
      await button(page, 'Delete …').click();
      await button(page, 'Keep it').waitFor();
    },
  },
  'unknown-dog': {
    address: '#dogs/ghost',
    show: (page) => page.getByText('There is no dog named ghost.').waitFor(),
  },
  unreachable: {
    address: '#dogs/rex',
    show: async (page) => {
      await button(page, 'Bark').waitFor();
      await page.route('**/v1/**', (route) => route.abort('connectionrefused'));
      await button(page, 'Bark').click();
      await page.locator('.banner').waitFor();
    },
  },
  search: {
    address: '',
    show: async (page) => {
      await views.home.show(page);
      await page.keyboard.press('Control+k');
      await page.getByRole('combobox').fill('re');
      await page.getByRole('option', { name: 'rex' }).waitFor();
    },
  },
} satisfies Record<string, View>;

/** Creates the dogs of the views. */
export async function createDogs(client: Client): Promise<void> {
  const settings = { email: 'rex@example.com', barkEffects: ['emailDog', 'record'], barkHandling: 'sync' };
  await client.put('/v1/dogs/rex/', settings);
  for (const message of ['Good morning', 'The postman is here'])
    await client.post('/v1/dogs/rex/barks', { message });
  const since = { 'If-Unmodified-Since': header(await client.get('/v1/dogs/rex/'), 'Date') };
  const next = Math.floor(Date.now() / 1000) + 240;
  await client.patch('/v1/dogs/rex/', { barks: { next, frequency: 10 } }, since);
}

/**
 * Shows a view.
 *
 * @param page a page of the console
 * @param credentials the credentials of the session storage
 */
export async function showView(
  page: Page,
  view: View,
  { client, service, credentials }: { client: Client; service: Service; credentials: string },
): Promise<void> {
  if (!view.isSignedOut) {
    await page.evaluate((stored) => sessionStorage.setItem('credentials', stored), credentials);
    await page.goto(`${service.access.base_url}/${view.address}`);
    await page.reload();
  }
  await view.show(page, client, service);
}

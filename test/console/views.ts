import type { Page } from 'playwright-core';
import type { Access } from '../../tools/service.ts';
import { type Client, header } from '../support/client.ts';
import { button, field } from './browser.ts';

export const schemes = ['light', 'dark'] as const;
export const sizes = {
  wide: { width: 1440, height: 900 },
  medium: { width: 1024, height: 768 },
  narrow: { width: 390, height: 844 },
} as const;

/** A state of the console. */
export interface View {
  /** The fragment of the URL. By default, a user of the sign-in link opens it. */
  readonly address: string;
  readonly session?: 'none' | 'password';
  /** Brings the page into the state, and waits for it. */
  show(page: Page, client: Client, access: Access): Promise<unknown>;
}

/** Shows a view that has a button. */
const withButton = (name: string) => (page: Page) => button(page, name).waitFor();

/** Fills in the form of the view of tokens, and sends it. */
async function getToken(page: Page, { client_id, client_secret, refresh_token }: Access) {
  await field(page, 'client_id').fill(client_id ?? '');
  await field(page, 'client_secret').fill(client_secret ?? '');
  await field(page, 'refresh_token').fill(refresh_token ?? '');
  await button(page, 'Get an access token').click();
  await page.getByText('Expires in').waitFor();
}

/** Makes the page see its asynchronous barks as pending until it cancels them. */
async function holdBarks(page: Page): Promise<void> {
  let status = 'pending';
  await page.route('**/barks/a*', (route) => {
    const [, id = ''] = route.request().url().split('barks/');
    if (route.request().method() === 'GET')
      return route.fulfill({ json: { id, dog: '', timestamp: null, status } });
    status = 'cancelled';
    return route.fulfill({ status: 204 });
  });
}

/** The states of the console, by name. Each is independent of the others. */
export const views = {
  'sign-in': {
    address: '',
    session: 'none',
    show: withButton('Sign in'),
  },
  home: {
    address: '',
    show: (page) =>
      page.getByRole('navigation', { name: 'Dogs' }).getByRole('link', { name: 'rex' }).waitFor(),
  },
  activity: {
    address: '#activity',
    show: (page) => page.getByRole('log').getByRole('listitem').first().waitFor(),
  },
  'activity-password': {
    address: '#activity',
    session: 'password',
    show: (page) => page.getByText('This page sees only changes of the open dog').waitFor(),
  },
  'inbox-password': {
    address: '#inbox',
    session: 'password',
    show: (page) => page.getByText('npx dogs sign-in').waitFor(),
  },
  dogs: { address: '#dogs', show: (page) => page.locator('[data-dog=rex]').waitFor({ state: 'attached' }) },
  unknown: { address: '#elsewhere', show: (page) => page.getByText('#elsewhere').waitFor() },
  shortcuts: {
    address: '#tokens',
    show: async (page) => {
      await button(page, 'Get an access token').waitFor();
      await page.keyboard.press('?');
      await page.getByRole('dialog', { name: 'Shortcuts' }).waitFor();
    },
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
  tokens: { address: '#tokens', show: withButton('Get an access token') },
  'token-accepted': {
    address: '#tokens',
    show: async (page, _, access) => {
      await getToken(page, access);
      await button(page, 'Try it').click();
      await page.getByText('The service accepted the token').waitFor();
    },
  },
  'new-dog': { address: '#new', show: withButton('Create the dog') },
  dog: {
    address: '#dogs/rex',
    show: async (page) => {
      await field(page, 'Message').fill('The postman is here');
      await button(page, 'Bark').click();
      await page.getByText('The dog barked.').first().waitFor();
    },
  },
  'dog-pending': {
    address: '#dogs/record-async',
    show: async (page) => {
      await holdBarks(page);
      await button(page, 'Bark').click();
      await button(page, 'Cancel').waitFor();
    },
  },
  'dog-cancelled': {
    address: '#dogs/record-async',
    show: async (page) => {
      await holdBarks(page);
      await button(page, 'Bark').click();
      await button(page, 'Cancel').click();
      await page.getByText('The bark was cancelled').waitFor();
    },
  },
  'dog-mail': {
    address: '#dogs/message-sync',
    show: async (page) => {
      await button(page, 'Bark').click();
      await page.getByText('Its settings neither count nor record this bark.').waitFor();
    },
  },
  'history-mail': {
    address: '#dogs/message-sync/history',
    show: (page) => page.getByText('This dog keeps no record').waitFor(),
  },
  schedule: { address: '#dogs/rex/schedule', show: withButton('End the schedule') },
  history: {
    address: '#dogs/rex/history',
    show: (page) => page.locator('.bark-table').waitFor(),
  },
  'history-empty': {
    address: '#dogs/count-sync/history',
    show: (page) => page.getByRole('figure').waitFor(),
  },
  settings: { address: '#dogs/rex/settings', show: withButton('Replace the settings') },
  delete: {
    address: '#dogs/rex/settings',
    show: async (page) => {
      await button(page, 'Delete …').click();
      await button(page, 'Keep it').waitFor();
    },
  },
  search: {
    address: '',
    show: async (page) => {
      await views.home.show(page);
      await page.keyboard.press('Control+k');
      await page.getByRole('combobox').fill('re');
      await page.getByRole('option', { name: 'rex', exact: true }).waitFor();
    },
  },
} satisfies Record<string, View>;

/** Creates the dogs of the views. */
export async function createDogs(client: Client): Promise<void> {
  const settings = { email: 'rex@example.com', barkEffects: ['emailDog', 'record'], barkHandling: 'sync' };
  await client.put('/v1/dogs/rex/', settings);
  for (const message of ['Good morning', 'The postman is here'])
    await client.post('/v1/dogs/rex/barks', { message });
  // Other tests set the clock of the service forward and back, so its date can differ from that of this machine, and from the time of
  // the last change.
  const dog = await client.get('/v1/dogs/rex/');
  const next = Math.floor(Date.parse(header(dog, 'Date')) / 1000) + 240;
  const since = { 'If-Unmodified-Since': header(dog, 'Last-Modified') };
  const { status } = await client.patch('/v1/dogs/rex/', { barks: { next, frequency: 10 } }, since);
  if (status !== 205) throw new Error(`The service responded to the PATCH with ${status}.`);
}

/** Each page shape of the console once. The other views are states of these pages. */
export const shapes = [
  'sign-in',
  'home',
  'activity',
  'request',
  'tokens',
  'new-dog',
  'dog',
  'schedule',
  'history',
  'settings',
  'search',
] as const satisfies (keyof typeof views)[];

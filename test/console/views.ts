import type { Page } from 'playwright-core';
import type { Access } from '../../tools/service.ts';
import { type Client, header } from '../support/client.ts';
import { button, dogLink, field } from './browser.ts';

type Step = (page: Page, access: Access) => Promise<unknown>;

export interface View {
  /** The fragment of the URL. By default, a user of the sign-in link opens it. */
  readonly address: string;
  readonly session?: 'none' | 'password';
  /** Bring the page into the state, and wait for it. */
  readonly steps: readonly Step[];
}

const view = (address: string, ...steps: Step[]): View => ({ address, steps });
const withPassword = (address: string, ...steps: Step[]): View => ({ address, session: 'password', steps });

const hasButton = (name: string) => (page: Page) => button(page, name).waitFor();
const press = (name: string) => (page: Page) => button(page, name).click();
const shows = (text: string) => (page: Page) => page.getByText(text).first().waitFor();
const showsElement = (selector: string) => (page: Page) => page.locator(selector).first().waitFor();

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

const showsRex = (page: Page) => dogLink(page, 'rex').waitFor();
const barked = [press('Bark'), shows('The dog barked.')];

/** One view for each page shape of the console. */
export const shapes = {
  'sign-in': { address: '', session: 'none', steps: [hasButton('Sign in')] },
  home: view('', showsRex, press('Try variant B'), shows('The dog barked.')),
  activity: view('#activity', showsElement('[role=log] li')),
  'new-dog': view('#new', hasButton('Create the dog')),
  dog: view('#dogs/rex', (page) => field(page, 'Message').fill('The postman is here'), ...barked),
  schedule: view('#dogs/rex/schedule', hasButton('End the schedule')),
  history: view('#dogs/rex/history', showsElement('.bark-table')),
  settings: view('#dogs/rex/settings', hasButton('Replace the settings')),
} satisfies Record<string, View>;

/** The states of the console, by name. Each is independent of the others. */
export const views = {
  ...shapes,
  'activity-password': withPassword('#activity', shows('npx dogs sign-in')),
  dogs: view('#dogs', (page) => page.locator('[data-dog=rex]').waitFor({ state: 'attached' })),
  'dog-pending': view('#dogs/record-async', holdBarks, press('Bark'), hasButton('Cancel')),
  'dog-cancelled': view(
    '#dogs/record-async',
    holdBarks,
    press('Bark'),
    press('Cancel'),
    shows('The bark was cancelled'),
  ),
  'dog-mail': view('#dogs/message-sync', press('Bark'), shows('Its settings neither count nor record')),
  'history-mail': view('#dogs/message-sync/history', shows('This dog keeps no record')),
  'history-empty': view('#dogs/count-async/history', shows('No known barks')),
  delete: view(
    '#dogs/rex/settings',
    (page) => page.getByText('Delete rex', { exact: true }).click(),
    hasButton('Yes, delete rex'),
  ),
} satisfies Record<string, View>;

export async function createDogs(client: Client): Promise<void> {
  const settings = { email: 'rex@example.com', barkEffects: ['emailDog', 'record'], barkHandling: 'sync' };
  await client.put('/v1/dogs/rex/', settings);
  for (const message of ['Good morning', 'The postman is here'])
    await client.post('/v1/dogs/rex/barks', { message });
  // Other tests set the clock of the service, so its date can differ from this machine's and from the last change.
  const dog = await client.get('/v1/dogs/rex/');
  const next = Math.floor(Date.parse(header(dog, 'Date')) / 1000) + 240;
  const since = { 'If-Unmodified-Since': header(dog, 'Last-Modified') };
  const { status } = await client.patch('/v1/dogs/rex/', { barks: { next, frequency: 10 } }, since);
  if (status !== 205) throw new Error(`The service responded to the PATCH with ${status}.`);
}

import type { Credentials } from '../shared/credentials.ts';
import { type Exchange, noResponse } from '../shared/http/exchange.ts';
import { base } from '../shared/service.ts';
import {
  inbox,
  initialCredentials,
  listen,
  credentials as session,
  signIn,
  signOut,
} from '../shared/session.ts';
import { NewDogView } from './dog-form.ts';
import { DogList } from './dog-list.ts';
import { DogView } from './dog-view.ts';
import { button, element, fill, heading, svg } from './dom.ts';
import { signInView } from './sign-in.ts';
import { type Place, pause, type View } from './view.ts';

/** The time between two attempts to reach a service that does not respond. */
const retryIntervalMs = 2_000;

const refusal = 'The service no longer accepts these credentials.';

const banner = element('p', { class: 'banner', role: 'alert', hidden: true });
const account = element('div', { class: 'row' });
const content = element('main', {});
const body = element('div', { class: 'body' }, content);

/** The requests that make a dog bark. */
const variants = [
  ['POST /v1/dogs/…/barks', 'Variant A creates a bark. You can read it, and cancel it while it is pending.'],
  ['PATCH /v1/dogs/…/', 'Variant B sets the schedule of the dog. The date and the body identify a repeat.'],
  [
    'POST /v1/dogs/…/bark-schedule',
    'Variant C sets the schedule as a sub-resource. The token identifies a repeat.',
  ],
  ['POST /v1/dogs/…/bark', 'Variant C replaces the last bark.'],
] as const;

let list = new DogList();
let view: View | undefined;
let notice: HTMLElement | undefined;
/** Aborts the work of the current view. */
let leaving = new AbortController();
/** Aborts the work for the current user. */
let signedOut = new AbortController();
let isReconnecting = false;

function start(): void {
  document.body.append(pageHeader(), banner, body);
  addEventListener('hashchange', () => session.value !== undefined && show());
  listen({ refused: () => end(refusal), exchanged: ({ response }) => reached(response !== undefined) });
  const credentials = initialCredentials();
  if (credentials) void resume(credentials);
  else end();
}

/** Signs in with the credentials that the page has when it loads. Shows the form if the service refuses them. */
async function resume(credentials: Credentials): Promise<void> {
  let dogs = await signIn(credentials);
  while (dogs.response === undefined || dogs.response.status >= 500) {
    showBanner();
    await pause(retryIntervalMs, leaving.signal);
    dogs = await signIn(credentials);
  }
  banner.hidden = true;
  if (dogs.response.status === 200) begin(dogs);
  else end(refusal);
}

function link(href: string, text: string): HTMLElement {
  return element('a', { href, target: '_blank', rel: 'noopener' }, text);
}

function pageHeader(): HTMLElement {
  return element(
    'header',
    {},
    element('a', { class: 'brand', href: '#' }, paw(), 'Dog service'),
    element('div', { class: 'links' }, link(`${base}/docs`, 'API'), account),
  );
}

function paw(): SVGElement {
  const toes = [
    [3, 7],
    [6.2, 4],
    [9.8, 4],
    [13, 7],
  ] as const;
  return svg(
    'svg',
    { viewBox: '0 0 16 16', width: 22, height: 22, 'aria-hidden': 'true' },
    ...toes.map(([cx, cy]) => svg('circle', { cx, cy, r: 1.9 })),
    svg('ellipse', { cx: 8, cy: 11, rx: 4, ry: 3.4 }),
  );
}

/** Shows the console after the sign-in. @param dogs the list of dogs, which the sign-in has read */
function begin(dogs: Exchange): void {
  signedOut = new AbortController();
  list = new DogList();
  list.show(dogs);
  const inboxUrl = inbox();
  fill(
    account,
    inboxUrl === undefined ? undefined : link(inboxUrl, 'Inbox'),
    element('span', { class: 'user' }, session.value?.user),
    button('Sign out', () => end('You are signed out, and the page has forgotten the password.')),
  );
  show();
}

/** Forgets the user, the password and everything that the page has shown. @param message a message for the sign-in form */
function end(message?: string): void {
  signOut();
  signedOut.abort();
  leaving.abort();
  view = undefined;
  notice = undefined;
  isReconnecting = false;
  banner.hidden = true;
  document.title = 'Dogs';
  fill(account);
  fill(body, content);
  body.className = 'body';
  fill(content, signInView(begin, message));
  content.querySelector('input')?.focus();
}

/** Shows the view of the current address. */
function show(): void {
  leaving.abort();
  leaving = new AbortController();
  const left = leaving.signal;
  const place: Place = {
    left,
    // An action of a view that the user has left must not change the current view.
    go: (address, result) => left.aborted || go(address, result),
    reloadList: () => void list.load(),
    updateList: (one) => list.update(one),
  };
  const address = location.hash.slice(1);
  const dog = address.startsWith('dogs/') ? decoded(address.slice(5)) : undefined;
  view = dog !== undefined ? new DogView(dog, place) : address === 'new' ? new NewDogView(place) : allDogs();
  body.className = view.element.id === 'all' ? 'body list' : 'body one';
  document.title = dog === undefined ? 'Dogs' : `${dog} – Dogs`;
  list.mark(dog);
  fill(body, list.element, content);
  const back = element('a', { class: 'back', href: '#' }, '← All dogs');
  fill(content, back, notice, view.element);
  notice = undefined;
  content.querySelector('h1')?.focus();
  scrollTo(0, 0);
  void view.load();
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

function allDogs(): View {
  const introduction =
    'Choose a dog, or create one. Next to each action, the page shows the HTTP request and the response.';
  const terms = variants.flatMap(([request, what]) => [
    element('dt', {}, element('code', {}, request)),
    element('dd', {}, what),
  ]);
  return {
    element: element(
      'div',
      { id: 'all', class: 'welcome' },
      heading('Make a dog bark'),
      element('p', {}, introduction),
      element('dl', { class: 'ways' }, ...terms),
    ),
    load: async () => {},
  };
}

function go(address: string, result?: HTMLElement): void {
  notice = result;
  if (location.hash.slice(1) === address) show();
  else location.hash = address;
}

/** Shows a banner if the service does not respond, and reconnects. */
function reached(responded: boolean): void {
  if (responded || isReconnecting) return;
  showBanner();
  isReconnecting = true;
  void reconnect(signedOut.signal);
}

function showBanner(): void {
  fill(banner, `${noResponse} This page tries again every two seconds.`);
  banner.hidden = false;
}

/** Reads the list until the service responds, and then reloads the view. */
async function reconnect(left: AbortSignal): Promise<void> {
  while (await pause(retryIntervalMs, left)) {
    const isReachable = await list.load();
    if (left.aborted) return;
    if (!isReachable) continue;
    banner.hidden = true;
    isReconnecting = false;
    return view?.load();
  }
}

start();

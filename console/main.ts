import { NewDogView } from './dog-form.ts';
import { DogList } from './dog-list.ts';
import { DogView } from './dog-view.ts';
import { button, element, fill, heading, svg } from './dom.ts';
import { type Exchange, noAnswer } from './exchange.ts';
import { base, inbox } from './service.ts';
import { listen, signOut, user } from './session.ts';
import { signInView } from './sign-in.ts';
import { type Place, pause, type View } from './view.ts';

/** The pause before the next request to a service that does not respond. */
const retryPauseMs = 2_000;

const banner = element('p', { class: 'banner', role: 'alert', hidden: true });
const account = element('div', { class: 'row' });
const content = element('main', {});
const body = element('div', { class: 'body' }, content);

/** The resources that make a dog bark. */
const ways = [
  [
    'POST /v1/dogs/…/barks',
    'Variant A makes a bark, which may be looked at, and cancelled while it is pending.',
  ],
  ['PATCH /v1/dogs/…/', 'Variant B gives the dog a schedule of barks, once for each date and body.'],
  [
    'POST /v1/dogs/…/bark-schedule',
    'Variant C makes the schedule a resource of its own, set once for each token.',
  ],
  ['POST /v1/dogs/…/bark', 'Variant C makes the last bark another one.'],
] as const;

let list = new DogList();
let view: View | undefined;
let notice: HTMLElement | undefined;
/** Aborts the work of the view that the page shows. */
let leaving = new AbortController();
/** Aborts the work of the user who is signed in. */
let signedOut = new AbortController();
let asking = false;

function start(): void {
  document.body.append(pageHeader(), banner, body);
  addEventListener('hashchange', () => user() !== undefined && show());
  listen({ refused: () => end('The service takes this password no more.'), reached });
  end();
}

function pageHeader(): HTMLElement {
  const link = (href: string, text: string) =>
    element('a', { href, target: '_blank', rel: 'noopener' }, text);
  return element(
    'header',
    {},
    element('a', { class: 'brand', href: '#' }, paw(), 'Dog service'),
    element(
      'div',
      { class: 'links' },
      link(`${base}/docs`, 'Interface'),
      inbox ? link(inbox, 'Inbox') : undefined,
      account,
    ),
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

/** Shows the page of a user after the sign-in. */
function begin(dogs: Exchange): void {
  signedOut = new AbortController();
  list = new DogList();
  list.show(dogs);
  fill(
    account,
    element('span', { class: 'user' }, user()),
    button('Sign out', () => end('You are signed out, and the page has forgotten the password.')),
  );
  show();
}

/** Signs out, and removes everything that the page shows. */
function end(told?: string): void {
  signOut();
  signedOut.abort();
  leaving.abort();
  view = undefined;
  notice = undefined;
  asking = false;
  banner.hidden = true;
  document.title = 'Dogs';
  fill(account);
  fill(body, content);
  body.className = 'body';
  fill(content, signInView(begin, told));
  content.querySelector('input')?.focus();
}

/** Shows the view that the address names. */
function show(): void {
  leaving.abort();
  leaving = new AbortController();
  const left = leaving.signal;
  const place: Place = {
    left,
    // A response that arrives after the reader has left the view must not change the view.
    go: (address, told) => left.aborted || go(address, told),
    reloadList: () => void list.load(),
    seen: (one) => list.update(one),
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
  const words = 'Choose one, or make a new one. Beside whatever you do here stands the HTTP that did it.';
  const terms = ways.flatMap(([request, what]) => [
    element('dt', {}, element('code', {}, request)),
    element('dd', {}, what),
  ]);
  return {
    element: element(
      'div',
      { id: 'all', class: 'welcome' },
      heading('Make a dog bark'),
      element('p', {}, words),
      element('dl', { class: 'ways' }, ...terms),
    ),
    load: async () => {},
  };
}

function go(address: string, told?: HTMLElement): void {
  notice = told;
  if (location.hash.slice(1) === address) show();
  else location.hash = address;
}

/** Shows that the service does not respond. Repeats a request until it does, and then reads the view again. */
function reached(answered: boolean): void {
  if (answered || asking) return;
  fill(banner, `${noAnswer} This page asks again every two seconds.`);
  banner.hidden = false;
  asking = true;
  void askUntilAnswered(signedOut.signal);
}

async function askUntilAnswered(left: AbortSignal): Promise<void> {
  while (await pause(retryPauseMs, left)) {
    const answers = await list.load();
    if (left.aborted) return;
    if (!answers) continue;
    banner.hidden = true;
    asking = false;
    return view?.load();
  }
}

start();

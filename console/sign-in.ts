import { element, heading } from './dom.ts';
import { type Exchange, succeeded } from './exchange.ts';
import { field, input, Outcome, onSubmit } from './form.ts';
import { inbox } from './service.ts';
import { signIn } from './session.ts';

/** Returns the form for the credentials of a user. */
export function signInView(signedIn: (dogs: Exchange) => void, told = ''): HTMLElement {
  const outcome = new Outcome();
  if (told) outcome.tell(told);
  const name = input('user', { autocomplete: 'username', autocapitalize: 'none', spellcheck: 'false' });
  const password = input('password', { type: 'password', autocomplete: 'current-password' });
  const form = element(
    'form',
    { novalidate: true },
    field('User', name),
    field('Password', password),
    element('div', { class: 'row' }, element('button', { class: 'main' }, 'Sign in')),
    outcome.element,
  );
  onSubmit(form, async () => {
    const exchange = await signIn({ user: name.value, password: password.value });
    if (exchange.answer?.status === 200) return signedIn(exchange);
    if (exchange.answer?.status === 401) outcome.tell('The service knows no such user with this password.');
    else if (!succeeded(exchange)) outcome.tellProblem(exchange);
    password.focus();
    password.select();
  });
  return element(
    'div',
    { class: 'sign-in' },
    heading('Sign in'),
    element('p', {}, whereFrom()),
    form,
    element(
      'p',
      { class: 'hint' },
      'The password stays in this page’s memory, goes to this service alone, and is forgotten with the tab.',
    ),
  );
}

function whereFrom(): Node {
  const words = inbox
    ? ['The service that runs here has put user and password into ', '.local/access.json', '.']
    : ['A user is made by the operator: ', 'npm run operator -- users create', '.'];
  const [before = '', code = '', after = ''] = words;
  return element('span', {}, before, element('code', {}, code), after);
}

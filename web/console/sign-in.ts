import { type Exchange, succeeded } from '../shared/http/exchange.ts';
import { isLocal } from '../shared/service.ts';
import { signIn } from '../shared/session.ts';
import { element, heading } from './dom.ts';
import { field, input, Outcome, onSubmit } from './form.ts';

/** Returns the sign-in form. @param message a message that the form shows at first */
export function signInView(signedIn: (dogs: Exchange) => void, message = ''): HTMLElement {
  const outcome = new Outcome();
  if (message) outcome.show(message);
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
    if (exchange.response?.status === 200) return signedIn(exchange);
    if (exchange.response?.status === 401) outcome.show('The user name or the password is wrong.');
    else if (!succeeded(exchange)) outcome.showProblem(exchange);
    password.focus();
    password.select();
  });
  return element(
    'div',
    { class: 'sign-in' },
    heading('Sign in'),
    element('p', {}, credentialsHint()),
    form,
    element(
      'p',
      { class: 'hint' },
      'This tab keeps the password until you sign out or close the tab. The page sends it only to this service.',
    ),
  );
}

function credentialsHint(): Node {
  const parts = isLocal
    ? [
        'Use the sign-in link that npm start prints, or the user name and the password in ',
        '.local/access.json',
        '.',
      ]
    : ['The operator creates users with ', 'npx dogs users create', '.'];
  const [before = '', code = '', after = ''] = parts;
  return element('span', {}, before, element('code', {}, code), after);
}

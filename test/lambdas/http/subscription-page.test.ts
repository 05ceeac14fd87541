import { subscriptionPage } from '../../../lambdas/http/subscription-page.ts';

test('the page of a subscription escapes the addresses, which can contain special characters of HTML', () => {
  const addresses = [`o'neil&<b>"x"@example.com`];
  for (const reached of [addresses, []]) {
    const { body } = subscriptionPage('rex', { addresses, reached, canResume: false });
    expect(body).toContain('mail to o&#39;neil&#38;&#60;b&#62;&#34;x&#34;@example.com.</p>');
  }
});

const rex = ['rex@example.com'];

test.each([
  [
    'Unsubscribe',
    { reached: rex, canResume: false },
    false,
    'name="List-Unsubscribe" value="One-Click">Stop',
  ],
  [
    'You are unsubscribed',
    { reached: [], canResume: true },
    false,
    '<button name="subscribed" value="true">Undo',
  ],
  ['You are unsubscribed', { reached: [], canResume: false }, false, undefined],
  ['You are subscribed again', { reached: rex, canResume: false }, true, 'name="List-Unsubscribe"'],
  // The address has also bounced, and only the operator can lift that suspension.
  ['You are unsubscribed', { reached: [], canResume: false }, true, undefined],
])(
  'the page "%s" of a subscription with %o, undone: %s, has the button %s',
  (title, state, isUndone, button) => {
    const { body } = subscriptionPage('rex', { addresses: rex, ...state }, isUndone);
    expect(body).toContain(`<h1>${title}</h1>`);
    const buttons = String(body).match(/<button[^>]*>[^<]*/g) ?? [];
    expect(buttons).toEqual(button === undefined ? [] : [expect.stringContaining(button)]);
  },
);

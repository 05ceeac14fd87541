import { subscriptionPage } from '../../../lambdas/http/subscription-page.ts';

test('the page of a subscription escapes the addresses, which can contain special characters of HTML', () => {
  const addresses = [`o'neil&<b>"x"@example.com`];
  for (const isEnded of [true, false]) {
    const { body } = subscriptionPage('rex', { addresses, isEnded });
    expect(body).toContain('mail to o&#39;neil&#38;&#60;b&#62;&#34;x&#34;@example.com.</p>');
  }
});

test('the page of a subscription has a button until the subscription has ended', () => {
  const addresses = ['rex@example.com'];
  const [active, ended] = [false, true].map((isEnded) =>
    String(subscriptionPage('rex', { addresses, isEnded }).body),
  );
  expect(active).toContain('<h1>Unsubscribe</h1>');
  expect(active).toContain('<button name="List-Unsubscribe" value="One-Click">');
  expect(ended).toContain('<h1>You are unsubscribed</h1>');
  expect(ended).not.toContain('<button');
});

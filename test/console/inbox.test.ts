import {
  button,
  cardOf,
  describeInBrowser,
  expectAccessibleState,
  field,
  Stage,
  shownIn,
} from './support.ts';

describeInBrowser('The inbox', () => {
  const stage = new Stage();

  test('shows the mail that a bark sends, and further mails as they arrive', async () => {
    await stage.newDog('pia', { email: 'pia@example.com', barkEffects: ['emailDog'] });
    const page = await stage.follow('#dogs/pia');
    await field(page, 'Message').fill('The postman is here');
    await button(page, 'Bark').click();
    const [inbox] = await Promise.all([
      page.context().waitForEvent('page'),
      cardOf(page, 'Make it bark').getByRole('link', { name: 'Open the inbox of pia@example.com' }).click(),
    ]);
    expect(await shownIn(inbox.locator('article pre').first())).toContain('The postman is here');
    expect(await field(inbox, 'Address').inputValue()).toBe('pia@example.com');
    await inbox.getByText('Live').waitFor();
    await stage.client.post('/v1/dogs/pia/barks', { message: 'The postman is gone' });
    await inbox.getByRole('article').getByText('The postman is gone').waitFor({ timeout: 1_000 });
    expect(await inbox.getByRole('article').count()).toBe(2);
    const [subscription] = await Promise.all([
      page.context().waitForEvent('page'),
      inbox.getByRole('link', { name: 'Unsubscribe' }).first().click(),
    ]);
    await button(subscription, 'Stop this mail').click();
    await subscription.getByText('The dog pia no longer sends mail to pia@example.com.').waitFor();
    await expectAccessibleState(subscription);
    expect((await stage.client.post('/v1/dogs/pia/barks')).status).toBe(409);
    await button(subscription, 'Undo').click();
    await subscription.getByText('The dog pia sends mail to pia@example.com again.').waitFor();
    expect((await stage.client.post('/v1/dogs/pia/barks')).status).toBe(200);
  });

  test('shows a mail as HTML and as text on the page of the mail', async () => {
    const message = 'Is <b>this</b> bold?';
    await stage.newDog('pit', { email: 'pit@example.com', barkEffects: ['emailDog'] });
    await stage.client.post('/v1/dogs/pit/barks', { message });
    const inbox = new URL('.', stage.access.mail_url);
    const page = await stage.open(`${inbox}#pit@example.com`);
    await page.getByRole('link', { name: 'pit barked' }).click();
    const html = page.frameLocator('iframe[title="pit barked"]');
    await html.getByText(message).waitFor();
    await page.locator('pre').getByText(message).waitFor();
    const [subscription] = await Promise.all([
      page.context().waitForEvent('page'),
      html.getByRole('link', { name: 'Unsubscribe' }).click(),
    ]);
    await button(subscription, 'Stop this mail').waitFor();
  });
});

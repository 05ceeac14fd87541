import { button, cardOf, describeInBrowser, field, Stage, shownIn } from './support.ts';

describeInBrowser('The inbox', () => {
  const stage = new Stage();

  test('shows the mail that a bark sends, and further mails as they arrive', async () => {
    await stage.newDog('pia', { email: 'pia@example.com', barkEffects: ['emailDog'] });
    const page = await stage.follow('#dogs/pia');
    await field(page, 'Message').fill('The postman is here');
    await button(page, 'Bark').click();
    const [inbox] = await Promise.all([
      page.context().waitForEvent('page'),
      cardOf(page, 'Make it bark').getByRole('link', { name: 'Read the mail to pia@example.com' }).click(),
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
    expect((await stage.client.post('/v1/dogs/pia/barks')).status).toBe(409);
  });
});

import { card, expectText, minutes, openSchedule, press, textField } from '../schedule.ts';
import { describeInBrowser, expectAccessibleState, expectFocus, Stage } from '../support.ts';

describeInBrowser('A schedule in the console', () => {
  const stage = new Stage();

  test('is not sent with invalid fields, and each error appears once, at the field', async () => {
    const page = await openSchedule(stage, 'dora', 'C');
    const methods: string[] = [];
    page.on('request', (request) => request.method() !== 'GET' && methods.push(request.method()));
    await card(page).getByLabel('At a time').check();
    await card(page).getByLabel('Time', { exact: true }).fill('2020-01-01T12:00:00');
    await minutes(page).fill('1.5');
    await textField(page, 'Token').fill('token');
    const messages = [
      'The time is in the past. Choose a later time.',
      'Enter whole minutes, at least 1.',
      'Enter a number.',
    ];
    await press(page, 'Set the schedule');
    for (const message of messages) {
      await expectText(page, message);
      expect([message, await page.getByText(message, { exact: true }).count()]).toEqual([message, 1]);
    }
    expect(await card(page).locator('[aria-invalid]').count()).toBe(messages.length);
    await expectFocus(page, 'Time');
    await expectAccessibleState(page);
    expect(methods).toEqual([]);
    await minutes(page).fill('20');
    await card(page).getByText('Enter whole minutes').waitFor({ state: 'detached' });
  });

  test('has an error from the service once, at its field', async () => {
    const page = await openSchedule(stage, 'coco', 'C');
    const errors = [{ pointer: '/token', detail: 'has another schedule' }];
    await page.route('**/bark-schedule', (route) =>
      route.fulfill({ status: 422, json: { detail: 'No.', errors } }),
    );
    await press(page, 'Set the schedule');
    await expectText(page, 'This value has another schedule.');
    expect(await card(page).getByText('This value has another schedule.').count()).toBe(1);
    expect(await textField(page, 'Token').getAttribute('aria-invalid')).toBe('true');
  });
});

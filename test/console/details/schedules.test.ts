import { documentOf, dogAt, type Problem } from '../../support/client.ts';
import { card, expectStatus, expectText, minutes, openSchedule, press, textField } from '../schedule.ts';
import { describeInBrowser, expectAccessibleState, focused, Stage } from '../support.ts';

describeInBrowser('A schedule in the console', () => {
  const stage = new Stage();

  const barksOf = async (dog: string) => (await dogAt(stage.client, `/v1/dogs/${dog}/`)).barks;

  test('begins at the time that the user enters in the local time zone', async () => {
    const page = await openSchedule(stage, 'bob');
    await card(page).getByLabel('At a time').check();
    const summer = new Date().getUTCFullYear() + 1;
    await card(page).getByLabel('Time', { exact: true }).fill(`${summer}-07-01T12:00:00`);
    await press(page, 'Set the schedule');
    await expectText(page, `on 1 Jul ${summer}, 12:00:00, then every 10 minutes.`);
    expect(await barksOf('bob')).toMatchObject({ next: Date.UTC(summer, 6, 1, 10) / 1000 });
  });

  test('does not change if the page sends the same PATCH again, with the same date and body', async () => {
    const page = await openSchedule(stage, 'ben');
    await press(page, 'Set the schedule');
    await expectStatus(page, '205 Reset Content');
    await press(page, 'Send again');
    await expectStatus(page, '204 No Content');
    await expectText(page, 'The page sent the same date and body again.');
  });

  test('is not set with a token that another schedule has had, and the error is at the field', async () => {
    const page = await openSchedule(stage, 'coco', 'C');
    await textField(page, 'Token').fill('42');
    await press(page, 'Set the schedule');
    await expectText(page, 'The schedule is set.');
    await textField(page, 'Token').fill('42');
    await minutes(page).fill('20');
    await press(page, 'Set the schedule');
    await expectStatus(page, '422 Unprocessable Content');
    const { errors = [] } = documentOf<Problem>(
      await stage.client.post('/v1/dogs/coco/bark-schedule', { token: 42, next: 0, frequency: 20 }),
    );
    expect(errors.map(({ pointer }) => pointer)).toEqual(['/token']);
    expect(await card(page).getByText(`This value ${errors[0]?.detail}.`, { exact: true }).count()).toBe(1);
    expect(await textField(page, 'Token').getAttribute('aria-invalid')).toBe('true');
  });

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
    expect(await focused(page)).toBe('Time');
    await expectAccessibleState(page);
    expect(methods).toEqual([]);
    await minutes(page).fill('20');
    await card(page).getByText('Enter whole minutes').waitFor({ state: 'detached' });
  });
});

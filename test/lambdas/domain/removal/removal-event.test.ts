import { removedDogs } from '../../../../lambdas/domain/removal/removal-event.ts';

const incarnation = '01KAK0XW00ABCDEFGHJKMNPQRS';
const scheduleId = '01KAK0XW00ABCDEFGHJK';
const image = { id: { S: 'rex' }, incarnation: { S: incarnation } };

const eventOf = (...images: unknown[]) => ({
  Records: images.map((OldImage) => ({ dynamodb: { OldImage } })),
});
const withSchedule = (schedule: unknown) => ({ ...image, schedule });

describe('removedDogs', () => {
  test('returns the dog of each record, with its schedule if it has one', () => {
    const schedule = { M: { scheduleId: { S: scheduleId }, frequency: { NULL: true } } };
    expect(removedDogs(eventOf(image, withSchedule(schedule)))).toEqual([
      { id: 'rex', incarnation },
      { id: 'rex', incarnation, schedule: { scheduleId } },
    ]);
  });

  test.each<[string, unknown]>([
    ['an event without records', {}],
    ['an empty list of records', { Records: [] }],
    ['records that are not a list', { Records: 'rex' }],
    ['no event', undefined],
  ])('refuses %s', (_, event) => {
    expect(() => removedDogs(event)).toThrow('The event has missing or invalid members: Records.');
  });

  test.each<[string, unknown, string]>([
    ['a record that is not an object', { Records: [null] }, 'id, incarnation'],
    ['a record without the stream data', { Records: [{}] }, 'id, incarnation'],
    ['a record without the old image', eventOf(undefined), 'id, incarnation'],
    ['an image without an ID', eventOf({ incarnation: { S: incarnation } }), 'id'],
    ['an image without an incarnation', eventOf({ id: { S: 'rex' } }), 'incarnation'],
    ['an image whose schedule is not a map', eventOf(withSchedule({ S: 'x' })), 'scheduleId'],
    ['an image whose schedule has no ID', eventOf(withSchedule({ M: {} })), 'scheduleId'],
    [
      'an image whose schedule has an invalid ID',
      eventOf(withSchedule({ M: { scheduleId: { S: 'x' } } })),
      'scheduleId',
    ],
  ])('refuses %s', (_, event, members) => {
    expect(() => removedDogs(event)).toThrow(`The event has missing or invalid members: ${members}.`);
  });
});

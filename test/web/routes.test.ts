import { dogAddress, routeOf } from '../../web/console/routes.ts';

describe('routeOf', () => {
  test.each(['', '#', '#unknown', '#dogs', '#dogs/'])('returns the home page for "%s"', (fragment) => {
    expect(routeOf(fragment)).toEqual({ view: 'home' });
  });

  test.each(['activity', 'requests', 'tokens'] as const)('returns the view %s', (view) => {
    expect(routeOf(`#${view}`)).toEqual({ view });
  });

  test('returns the form for a new dog with the ID in the address', () => {
    expect(routeOf('#new')).toEqual({ view: 'new', id: '' });
    expect(routeOf('#new?id=rex')).toEqual({ view: 'new', id: 'rex' });
  });

  test('returns the section of a dog', () => {
    expect(routeOf(dogAddress('rex', 'schedule'))).toEqual({ view: 'dog', id: 'rex', section: 'schedule' });
  });

  test('returns the first section of a dog for an unknown section', () => {
    expect(routeOf('#dogs/rex/tricks')).toMatchObject({ view: 'dog', id: 'rex', section: 'bark' });
  });

  test.each(['a/b', 'a?b', '100%', 'é'])('reads the ID "%s" from the address of the dog', (id) => {
    expect(routeOf(dogAddress(id))).toMatchObject({ id });
  });

  test('keeps an ID with a percent sign that encodes nothing', () => {
    expect(routeOf('#dogs/50%')).toMatchObject({ id: '50%' });
  });
});

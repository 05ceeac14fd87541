import { dogAddress, routeOf } from '../../web/console/routes.ts';

test.each<[string, object]>([
  ...['', '#', '#unknown', '#dogs', '#dogs/'].map((fragment): [string, object] => [
    fragment,
    { view: 'home' },
  ]),
  ...['activity', 'requests', 'tokens'].map((view): [string, object] => [`#${view}`, { view }]),
  ['#new', { view: 'new', id: '' }],
  ['#new?id=rex', { view: 'new', id: 'rex' }],
  [dogAddress('rex', 'schedule'), { view: 'dog', id: 'rex', section: 'schedule' }],
  ['#dogs/rex/tricks', { view: 'dog', id: 'rex', section: 'bark' }],
  ...['a/b', 'a?b', '100%', 'é'].map((id): [string, object] => [
    dogAddress(id),
    { view: 'dog', id, section: 'bark' },
  ]),
  // A percent sign that encodes nothing
  ['#dogs/50%', { view: 'dog', id: '50%', section: 'bark' }],
])('routeOf(%j) returns %j', (fragment, route) => {
  expect(routeOf(fragment)).toEqual(route);
});

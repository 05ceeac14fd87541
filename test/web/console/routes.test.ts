import { dogAddress, routeOf } from '../../../web/console/routes.ts';

test.each<[string, object]>([
  ...['', '#', '#home', '#elsewhere'].map((fragment): [string, object] => [fragment, { view: 'home' }]),
  ['#dogs/rex/tricks', { view: 'dog', id: 'rex', section: 'bark' }],
  ['#dogs/', { view: 'dogs' }],
  ...['activity', 'dogs'].map((view): [string, object] => [`#${view}`, { view }]),
  ['#new', { view: 'new', id: '' }],
  ['#new?id=rex', { view: 'new', id: 'rex' }],
  [dogAddress('rex', 'schedule'), { view: 'dog', id: 'rex', section: 'schedule' }],
  ...['a/b', 'a?b', '100%', 'é'].map((id): [string, object] => [
    dogAddress(id),
    { view: 'dog', id, section: 'bark' },
  ]),
  // A percent sign that encodes nothing
  ['#dogs/50%', { view: 'dog', id: '50%', section: 'bark' }],
])('routeOf(%j) returns %j', (fragment, route) => {
  expect(routeOf(fragment)).toEqual(route);
});

import { bypassProxy } from '../../platform/proxy.ts';

const local = '127.0.0.1,localhost,[::1]';

test.each([
  ['no variable', {}, local],
  ['NO_PROXY', { NO_PROXY: 'a.example,127.0.0.1' }, 'a.example,127.0.0.1,localhost,[::1]'],
  ['both, of which Node reads only no_proxy', { NO_PROXY: 'a.example', no_proxy: '*' }, `*,${local}`],
])('bypassProxy adds this machine to %s', (_, variables, list) => {
  delete process.env.NO_PROXY;
  delete process.env.no_proxy;
  Object.assign(process.env, { HTTP_PROXY: 'http://proxy.example' }, variables);
  bypassProxy();
  expect(process.env).toMatchObject({ NO_PROXY: list, no_proxy: list });
  bypassProxy('http://127.0.0.1:3000', 'http://[2001:db8::7]:3000');
  expect(process.env.NO_PROXY).toBe(`${list},[2001:db8::7]`);
});

test('bypassProxy changes nothing without a proxy', () => {
  for (const name of Object.keys(process.env)) if (/_proxy$/i.test(name)) delete process.env[name];
  process.env.HTTPS_PROXY = '';
  bypassProxy('http://127.0.0.1:3000');
  expect([process.env.NO_PROXY, process.env.no_proxy]).toEqual([undefined, undefined]);
});

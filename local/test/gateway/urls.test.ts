import { syncBuiltinESMExports } from 'node:module';
import type { AddressInfo } from 'node:net';
import os from 'node:os';
import { networkUrlsOf, serverUrlOf, urlHostOf } from '../../gateway/urls.ts';

const listening = (address: string, port = 3000): AddressInfo => ({ address, port, family: '' });

describe('The URL of a server', () => {
  test.each([
    ['127.0.0.1', '127.0.0.1', 'http://127.0.0.1:3000'],
    ['127.0.0.2', '127.0.0.2', 'http://127.0.0.2:3000'],
    ['192.0.2.7', '192.0.2.7', 'http://192.0.2.7:3000'],
    ['::1', '::1', 'http://[::1]:3000'],
    ['2001:db8:0:0::7', '2001:db8::7', 'http://[2001:db8::7]:3000'],
    ['::ffff:192.0.2.7', '::ffff:192.0.2.7', 'http://192.0.2.7:3000'],
    ['LocalHost', '::1', 'http://localhost:3000'],
    ['0.0.0.0', '0.0.0.0', 'http://127.0.0.1:3000'],
    ['0', '0.0.0.0', 'http://127.0.0.1:3000'],
    ['::', '::', 'http://[::1]:3000'],
    ['dogs.local', '192.0.2.7', 'http://192.0.2.7:3000'],
  ])('on the host %s with the address %s is %s', (host, address, url) => {
    expect(serverUrlOf(host, listening(address))).toBe(url);
  });

  test("does not contain HTTP's default port", () => {
    expect(serverUrlOf('::1', listening('::1', 80))).toBe('http://[::1]');
  });

  test('is refused for an address with a zone, with what to do', () => {
    expect(() => urlHostOf('fe80::1%eth0')).toThrow(
      'The service cannot listen on fe80::1%eth0, because no URL can contain it. Set HOST to another address of this computer, such as 127.0.0.1.',
    );
  });
});

describe('The URLs of a server for other machines', () => {
  const entry = { netmask: '', mac: '', cidr: null, internal: false };

  beforeAll(() => {
    jest.spyOn(os, 'networkInterfaces').mockReturnValue({
      lo: [
        { ...entry, internal: true, family: 'IPv4', address: '127.0.0.1' },
        { ...entry, internal: true, family: 'IPv6', address: '::1', scopeid: 0 },
      ],
      eth0: [
        { ...entry, family: 'IPv4', address: '192.0.2.7' },
        { ...entry, family: 'IPv6', address: '2001:db8::7', scopeid: 0 },
        { ...entry, family: 'IPv6', address: 'fe80::7', scopeid: 2 },
      ],
    });
    syncBuiltinESMExports();
  });

  afterAll(() => {
    jest.restoreAllMocks();
    syncBuiltinESMExports();
  });

  test.each([
    ['0.0.0.0', ['http://192.0.2.7:3000']],
    ['::', ['http://192.0.2.7:3000', 'http://[2001:db8::7]:3000']],
    ['127.0.0.1', []],
    ['192.0.2.7', []],
  ])('at the address %s are %j', (address, urls) => {
    expect(networkUrlsOf(listening(address))).toEqual(urls);
  });
});

import { type AddressInfo, isIPv6 } from 'node:net';
import { networkInterfaces } from 'node:os';
import { UserError } from '../platform/user-error.ts';

/** The addresses that stand for all addresses, each with one to which programs on this machine can connect. */
const wildcards: Readonly<Record<string, string>> = { '0.0.0.0': '127.0.0.1', '::': '::1' };

/**
 * Returns a host name or an address as it appears in URLs and in the Host header.
 *
 * @throws UserError if no URL can contain the host, such as the address `fe80::1%eth0` with its zone
 */
export function urlHostOf(host: string): string {
  const url = `http://${isIPv6(host) ? `[${host}]` : host}`;
  if (URL.canParse(url)) return new URL(url).hostname;
  throw new UserError(
    `The service cannot listen on ${host}, because no URL can contain it. Set HOST to another address of this computer, such as 127.0.0.1.`,
  );
}

/**
 * Returns the URL of a server for programs on this machine, without a trailing slash. The URL contains the server's address, because
 * names other than `localhost` could lead to another machine.
 */
export function serverUrlOf(host: string, { address, port }: AddressInfo): string {
  const isLocalhost = host.toLowerCase() === 'localhost';
  const own = wildcards[address] ?? address.replace(/^::ffff:/, '');
  return new URL(`http://${isLocalhost ? host : urlHostOf(own)}:${port}`).origin;
}

/** Returns the URLs of a server for other machines. Empty if the server listens on one address only. */
export function networkUrlsOf({ address, port }: AddressInfo): string[] {
  if (!wildcards[address]) return [];
  return Object.values(networkInterfaces())
    .flatMap((addresses = []) => addresses)
    .filter(
      ({ internal, family, scopeid }) => !internal && !scopeid && (family === 'IPv4' || address === '::'),
    )
    .map((one) => new URL(`http://${urlHostOf(one.address)}:${port}`).origin);
}

import { Resolver } from 'node:dns/promises';
import { isIP } from 'node:net';
import { isPublicAddress } from './public-address.js';

/** Every address of a name; empty when it has none or the DNS does not answer. */
export type Resolve = (host: string) => Promise<readonly string[]>;

/** The host has an address that is not in the public internet. */
export class AddressIsNotPublic extends Error {
  readonly code = 'ADDRESS_NOT_PUBLIC';

  constructor() {
    super('The host has an address that is not public.');
  }
}

class HostIsNotFound extends Error {
  readonly code = 'ENOTFOUND';

  constructor() {
    super('The host has no address.');
  }
}

/** Milliseconds for one query to one DNS server. */
const QUERY_TIMEOUT_MS = 2_000;
const QUERIES = 2;

/**
 * By DNS queries only. getaddrinfo would also read names of this machine and its search domains, and would hold one of the four
 * threads of the process for as long as a hostile DNS server keeps silent.
 */
export const queryAddresses: Resolve = async (host) => {
  const resolver = new Resolver({ timeout: QUERY_TIMEOUT_MS, tries: QUERIES });
  const answers = await Promise.allSettled([resolver.resolve4(host), resolver.resolve6(host)]);
  return answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []));
};

/**
 * The addresses of a host that a person or a model named. Connect to one of them, not to the name: the DNS could answer the second
 * question differently.
 * @param host a name, or an IP address
 * @throws AddressIsNotPublic when one of them is not public; an error with the code ENOTFOUND when there is none
 */
export async function publicAddressesOf(host: string, resolve?: Resolve): Promise<readonly string[]> {
  const addresses = await addressesOf(host, resolve);
  if (!addresses.every(isPublicAddress)) throw new AddressIsNotPublic();
  return addresses;
}

/** Not checked: for hosts that the operator named. */
export async function addressesOf(
  host: string,
  resolve: Resolve = queryAddresses,
): Promise<readonly string[]> {
  const addresses = isIP(host) ? [host] : await resolve(host);
  if (addresses.length === 0) throw new HostIsNotFound();
  return addresses;
}

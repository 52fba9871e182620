import { lookup } from 'node:dns/promises';
import { isPublicAddress } from '#libs/outbound-http';

type Resolve = (host: string, options: { all: true }) => Promise<readonly { readonly address: string }[]>;

/**
 * One address of the host to connect to. Connecting to the name would ask the DNS again, which could answer differently.
 * @returns null when the host does not exist or one of its addresses is not public
 */
export async function publicAddressOf(host: string, resolve: Resolve = lookup): Promise<string | null> {
  const found = await resolve(host, { all: true }).catch(() => []);
  const [first] = found;
  return first && found.every(({ address }) => isPublicAddress(address)) ? first.address : null;
}

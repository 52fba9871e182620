import { publicAddressesOf } from '#libs/outbound-http';

type Resolve = Parameters<typeof publicAddressesOf>[1];

/**
 * One address of the host to connect to. Connecting to the name would ask the DNS again, which could answer differently.
 * @returns null when the host does not exist or one of its addresses is not public
 */
export async function publicAddressOf(host: string, resolve?: Resolve): Promise<string | null> {
  const [first = null] = await publicAddressesOf(host, resolve).catch(() => []);
  return first;
}

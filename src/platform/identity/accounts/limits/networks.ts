const IPV6 = /^address:([0-9a-f]+):([0-9a-f]+):([0-9a-f]+):([0-9a-f]+)::\/64$/;
const LOW_BITS_OF_56 = 0xff;

/**
 * Counter keys of an address: for IPv6 the /64, and the /56 and /48 that one customer can have.
 * @param network as in `Actor`
 */
export function networksOf(network: string): readonly string[] {
  const [, first, second, third, fourth = '0'] = IPV6.exec(network) ?? [];
  if (first === undefined) return [network];
  const site = `${first}:${second}:${third}`;
  const customer = (Number.parseInt(fourth, 16) & ~LOW_BITS_OF_56).toString(16);
  return [network, `address56:${site}:${customer}::/56`, `address48:${site}::/48`];
}

import { BlockList, isIP } from 'node:net';

/** Addresses that are not globally reachable: IANA special-purpose registries for IPv4 and IPv6, read 2026-11, and multicast. */
const SPECIAL: readonly string[] = [
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.31.196.0/24',
  '192.52.193.0/24',
  '192.88.99.0/24',
  '192.168.0.0/16',
  '192.175.48.0/24',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/4',
  '240.0.0.0/4',
];

/** Global unicast without documentation, benchmarks, and prefixes that embed IPv4 addresses (NAT64, 6to4, Teredo). */
const GLOBAL_V6 = '2000::/3';
const SPECIAL_V6: readonly string[] = ['2001::/23', '2001:db8::/32', '2002::/16', '3fff::/20'];

const blockList = (networks: readonly string[], family: 'ipv4' | 'ipv6'): BlockList => {
  const list = new BlockList();
  for (const network of networks) {
    const [address = '', prefix] = network.split('/');
    list.addSubnet(address, Number(prefix), family);
  }
  return list;
};

const special = blockList(SPECIAL, 'ipv4');
const global6 = blockList([GLOBAL_V6], 'ipv6');
const special6 = blockList(SPECIAL_V6, 'ipv6');

/**
 * Whether an IP address is reachable in the public internet. For addresses that a customer may name: check the address that the
 * connection is made to, after the name is resolved. Text that is no IP address, or one with a zone, is not public.
 */
export function isPublicAddress(address: string): boolean {
  const bare = address.replace(/^\[(.*)\]$/, '$1').replace(/^::ffff:(?=\d+\.)/i, '');
  const family = bare.includes('%') ? 0 : isIP(bare);
  if (family === 4) return !special.check(bare, 'ipv4');
  return family === 6 && global6.check(bare, 'ipv6') && !special6.check(bare, 'ipv6');
}

/** Whether the host of a URL is an IP address outside the public internet. A name is not resolved. */
export function namesOtherNetwork({ hostname }: URL): boolean {
  const host = hostname.replace(/^\[(.*)\]$/, '$1');
  return isIP(host) !== 0 && !isPublicAddress(host);
}

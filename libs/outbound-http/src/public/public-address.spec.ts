import { isPublicAddress } from './public-address.js';

describe('a public address', () => {
  it.each(['8.8.8.8', '1.1.1.1', '172.32.0.1', '2606:4700::1111', '[2a00:1450:4001::1]', '::ffff:8.8.8.8'])(
    'is %s',
    (address) => expect(isPublicAddress(address)).toBe(true),
  );

  it.each([
    ['loopback', '127.0.0.1'],
    ['loopback of IPv6', '::1'],
    ['loopback in IPv6', '::ffff:127.0.0.1'],
    ['loopback in IPv6, in hexadecimal', '::ffff:7f00:1'],
    ['unspecified', '0.0.0.0'],
    ['private', '10.1.2.3'],
    ['private', '172.16.0.1'],
    ['private', '192.168.1.1'],
    ['link-local with metadata of clouds', '169.254.169.254'],
    ['shared by carriers', '100.64.0.1'],
    ['unique local', 'fd00::1'],
    ['link-local of IPv6', 'fe80::1'],
    ['private behind NAT64', '64:ff9b::a00:1'],
    ['private behind 6to4', '2002:a00:1::'],
    ['multicast', '224.0.0.1'],
    ['broadcast', '255.255.255.255'],
    ['public behind NAT64, which this network may not have', '64:ff9b::808:808'],
    ['private behind Teredo', '2001::a00:1'],
    ['site-local', 'fec0::1'],
    ['compatible with IPv4', '::7f00:1'],
    ['documentation', '2001:db8::1'],
    ['with a zone', '2606:4700::1111%eth0'],
    ['link-local with a zone', 'fe80::1%eth0'],
    ['a name', 'localhost'],
    ['another notation', '0x7f.1'],
    ['nothing', ''],
  ])('is not %s: %s', (_, address) => expect(isPublicAddress(address)).toBe(false));
});

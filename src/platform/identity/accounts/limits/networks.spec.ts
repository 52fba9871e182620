import { networksOf } from './familiar-networks.js';

describe('the networks of an address', () => {
  it.each([
    ['address:192.0.2.1', ['address:192.0.2.1']],
    ['address:unknown', ['address:unknown']],
    [
      'address:2001:db8:1:12ff::/64',
      ['address:2001:db8:1:12ff::/64', 'address56:2001:db8:1:1200::/56', 'address48:2001:db8:1::/48'],
    ],
    ['address:0:0:0:ff::/64', ['address:0:0:0:ff::/64', 'address56:0:0:0:0::/56', 'address48:0:0:0::/48']],
  ])('of %s', (network, networks) => expect(networksOf(network)).toEqual(networks));
});

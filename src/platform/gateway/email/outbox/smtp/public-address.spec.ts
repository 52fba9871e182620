import { publicAddressOf } from './smtp-sender.js';

const answering = (...addresses: string[]) => {
  const resolve = jest.fn(() => Promise.resolve(addresses));
  return { resolve, address: () => publicAddressOf('mail.example.com', resolve) };
};

describe('the address of the mail server of an organization', () => {
  it('is one that the DNS gave, asked once', async () => {
    const { resolve, address } = answering('93.184.216.34', '2606:2800:220:1::1');
    expect(await address()).toBe('93.184.216.34');
    expect(resolve).toHaveBeenCalledTimes(1);
  });

  it.each([
    ['this machine', '127.0.0.1'],
    ['this machine by IPv6', '::1'],
    ['this machine by a mapped address', '::ffff:127.0.0.1'],
    ['a private network', '10.0.0.8'],
    ['the metadata of a cloud', '169.254.169.254'],
    ['a unique local address', 'fd00::1'],
  ])('is none that is %s, also next to a public one', async (_, other) => {
    expect(await answering(other).address()).toBeNull();
    expect(await answering('93.184.216.34', other).address()).toBeNull();
  });

  it('is none where the DNS gives none', async () => {
    expect(await answering().address()).toBeNull();
    expect(await publicAddressOf('x.example', () => Promise.reject(new Error('ENOTFOUND')))).toBeNull();
  });

  it('is the host itself where that is an address, which no DNS is asked for', async () => {
    const { resolve } = answering('93.184.216.34');
    expect(await publicAddressOf('8.8.8.8', resolve)).toBe('8.8.8.8');
    expect(await publicAddressOf('127.0.0.1', resolve)).toBeNull();
    expect(resolve).not.toHaveBeenCalled();
  });
});

import fc from 'fast-check';
import { webUriOf } from './web-uri.js';

describe('the URI of an address', () => {
  it.each([
    'https://example.com',
    'https://example.com/',
    'HTTP://Example.com:8080/a%20b?c=d&e=%C3%A9#f',
    "https://example.com/a_(b),c;d='e'!*$~@:+",
    'http://[::1]:3000/x',
  ])('stays as it is: %s', (address) => {
    expect(webUriOf(address)).toBe(address);
  });

  it.each([
    ['https://münchen.de', 'https://xn--mnchen-3ya.de'],
    ['https://münchen.de/', 'https://xn--mnchen-3ya.de/'],
    [
      'https://例え.jp/日本?q=東京#駅',
      'https://xn--r8jz45g.jp/%E6%97%A5%E6%9C%AC?q=%E6%9D%B1%E4%BA%AC#%E9%A7%85',
    ],
    ['https://example.com/straße/a%20b', 'https://example.com/stra%C3%9Fe/a%20b'],
    ['https://example.com/a|b{c}^d`e"f<g>', 'https://example.com/a%7Cb%7Bc%7D%5Ed%60e%22f%3Cg%3E'],
    ['https://example.com/?a[0]=100%&b=%zz', 'https://example.com/?a%5B0%5D=100%25&b=%25zz'],
  ])('of %s is %s', (address, uri) => {
    expect(webUriOf(address)).toBe(uri);
  });

  it.each([
    'example.com',
    'ftp://example.com',
    'javascript:alert(1)',
    'https:example.com',
    'https:/example.com',
    'https:///example.com',
    String.raw`https:\\example.com`,
    'https://',
    'https://a b.com',
    'https://example.com/a b',
    'https://example.com/\n',
    'https://user@example.com',
    'https://:secret@example.com',
    'https://exa<mple.com',
    'https://999.999.999.999',
  ])('of %s does not exist', (address) => {
    expect(webUriOf(address)).toBeNull();
  });

  it('has ASCII only, and is its own URI', () => {
    fc.assert(
      fc.property(fc.webUrl(), fc.string({ unit: 'grapheme' }), (address, more) => {
        const uri = webUriOf(address + more);
        if (uri === null) return;
        expect(uri).toMatch(/^https?:\/\/[\x21-\x7e]+$/i);
        expect(webUriOf(uri)).toBe(uri);
      }),
    );
  });
});

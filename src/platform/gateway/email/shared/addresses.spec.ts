import fc from 'fast-check';
import { isHeaderText, mailAddress, mailDomain, needsUtf8 } from './addresses.js';

describe('mail addresses', () => {
  it.each([
    ['ada@example.com', 'ada@example.com'],
    [' Ada.Lovelace+news@Example.COM ', 'Ada.Lovelace+news@example.com'],
    ["o'brien_1@mail.example.co.uk", "o'brien_1@mail.example.co.uk"],
    ['ada@bücher.example', 'ada@xn--bcher-kva.example'],
    ['用户@例子.广告', '用户@xn--fsqu00a.xn--4rr70v'],
  ])('normalizes %s', (given, expected) => expect(mailAddress(given)).toBe(expected));

  it.each([
    '',
    'ada',
    '@example.com',
    'ada@',
    'ada@localhost',
    'ada@127.0.0.1',
    'ada@[127.0.0.1]',
    'a b@example.com',
    '.ada@example.com',
    'ada.@example.com',
    'a..b@example.com',
    '"a b"@example.com',
    'Ada <ada@example.com>',
    'ada@example.com, bob@example.com',
    'ada@example.com\r\nBcc: eve@example.com',
    'ada\n@example.com',
    'ada@exa\u0000mple.com',
    'a\u202eda@example.com',
    'ada@-example.com',
    `${'a'.repeat(65)}@example.com`,
    `${'ä'.repeat(33)}@example.com`,
    `a@${'b'.repeat(64)}.com`,
  ])('refuses %j', (given) => expect(mailAddress(given)).toBeNull());

  it('never gives a text that ends a header or an SMTP command', () => {
    const parts = fc.constantFrom(
      'a',
      '@',
      'example.com',
      '\r',
      '\n',
      '<',
      '>',
      ' ',
      ',',
      ';',
      'ü',
      '\0',
      '"',
    );
    fc.assert(
      fc.property(fc.array(parts, { maxLength: 12 }), (pieces) => {
        const address = mailAddress(pieces.join(''));
        expect(address === null || /^[^\s<>,;"\p{Cc}]+@[a-z0-9.-]+$/u.test(address)).toBe(true);
      }),
    );
  });

  it('knows which addresses need SMTPUTF8: not those with an international domain only', () => {
    expect(needsUtf8(mailAddress('ada@bücher.example') ?? '')).toBe(false);
    expect(needsUtf8(mailAddress('grüße@example.com') ?? '')).toBe(true);
  });

  it('takes no host with one label as a domain', () => expect(mailDomain('localhost')).toBeNull());

  it.each(['a\rb', 'a\nb', 'a\u2028b', 'a\u2029b', 'a\u0085b', 'a\0b', 'a\u009bb'])(
    'finds controls and line breaks of every kind in header texts: %j',
    (text) => expect(isHeaderText(text)).toBe(false),
  );

  it.each(['\u202a', '\u202b', '\u202c', '\u202d', '\u202e', '\u2066', '\u2067', '\u2068', '\u2069'])(
    'finds %j in header texts, which changes the direction of the text after it',
    (mark) => expect(isHeaderText(`Invoice ${mark}fdp.exe`)).toBe(false),
  );

  it.each(['=?utf-8?q?Your_bank?=', '=?UTF-8?B?WW91ciBiYW5r?=', 'a =?utf-8*en?Q?Your bank?= b'])(
    'finds %s in header texts, which receivers show as another text',
    (text) => expect(isHeaderText(text)).toBe(false),
  );

  it.each(['Grüße 🎈', '👨‍👩‍👧', 'می‌خواهم', '🏴󠁧󠁢󠁥󠁮󠁧󠁿', 'שלום \u200e(1)'])('takes %s as a header text', (text) =>
    expect(isHeaderText(text)).toBe(true),
  );

  it('takes no joiner in an address: two addresses would look the same', () =>
    expect(
      ['a\u200dda@example.com', 'ada@exa\u200dmple.com', 'ada@exa\u00admple.com'].map(mailAddress),
    ).toEqual([null, null, null]));
});

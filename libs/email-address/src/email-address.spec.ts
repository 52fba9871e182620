import fc from 'fast-check';
import { emailKey, isEmailKey } from './email-address.js';

const isEmail = (text: string) => isEmailKey(emailKey(text));

describe('an email address', () => {
  it.each([
    ' Ada@Example.COM ',
    "o'brien+news@sub.example.co.uk",
    'jürgen@müller.de',
    '山田@例え.jp',
    'ａｄａ＠ｅｘａｍｐｌｅ．ｃｏｍ',
    `${'a'.repeat(64)}@example.com`,
  ])('is %s', (text) => expect(isEmail(text)).toBe(true));

  it.each([
    '',
    'ada',
    '@example.com',
    'ada@',
    'ada@example',
    'a b@example.com',
    'a@b@example.com',
    'a..b@example.com',
    '.a@example.com',
    'a.@example.com',
    'a@-example.com',
    'a@example-.com',
    'a@example..com',
    'ada@example.com, eve@example.com',
    'Ada <ada@example.com>',
    'mailto:ada@example.com',
    'ada@exam\u200bple.com',
    `${'a'.repeat(65)}@example.com`,
    `a@${'b'.repeat(64)}.com`,
    `a@${'bcdefgh.'.repeat(32)}com`,
  ])('is not %j', (text) => expect(isEmail(text)).toBe(false));

  it('is compared in one spelling', () => {
    expect(emailKey(' ＡDA@Example.com ')).toBe('ada@example.com');
    expect(emailKey('Jürgen@XN--MLLER-KVA.de')).toBe(emailKey('jürgen@Müller.de'));
    expect(['a@xn--.de', 'a@ü/x.de', 'a@ü?x.de', '@ü', 'ü'].map(emailKey)).toEqual([
      ...['a@xn--.de', 'a@ü/x.de', 'a@ü?x.de', '@ü', 'ü'],
    ]);
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (text) => emailKey(emailKey(text)) === emailKey(text)),
    );
  });

  it('is checked in linear time, also for hostile texts', () => {
    for (const text of ['a.'.repeat(100_000), `a@${'a.'.repeat(100_000)}`, `a@${'a-'.repeat(100_000)}`])
      expect(isEmail(text)).toBe(false);
  });
});

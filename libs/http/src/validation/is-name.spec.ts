import { NAME } from './text-fields.js';

describe('a name', () => {
  it.each(['Acme', 'ä'.repeat(120), '名', '٣', '👩\u200d🚀', '\u200fשלום', '…', '\u0301', '\ue000'])(
    'is %s',
    (text) => expect(NAME.test(text)).toBe(true),
  );

  it.each([
    ['nothing', ''],
    ['space', ' \u00a0\u3000'],
    ['two lines', 'a\nb'],
    ['two lines, parted by a separator', 'a\u2028b'],
    ['a zero-width space', '\u200b'],
    ['joiners', '\u200d\u2060'],
    ['marks of direction', '\u200e\u202e\u2066\u2069'],
    ['a soft hyphen', '\u00ad'],
    ['a byte order mark', '\ufeff'],
    ['a Hangul filler', '\u3164'],
    ['a variation selector', '\ufe0f'],
    ['tags', '\u{e0041}\u{e007f}'],
    ['an empty Braille pattern', '\u2800'],
    ['too long', 'a'.repeat(121)],
  ])('is not %s', (_, text) => expect(NAME.test(text)).toBe(false));
});

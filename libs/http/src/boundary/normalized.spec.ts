import fc from 'fast-check';
import { isStreamSafe, MAX_MARKS, normalized } from './clean-json.js';

describe('normalised text', () => {
  const texts = fc.string({ unit: 'binary' }).filter((text) => text.isWellFormed());

  it('is what the language makes of it, where no row of marks is too long', () => {
    fc.assert(
      fc.property(texts.filter(isStreamSafe), fc.constantFrom('NFC', 'NFKC', 'NFKD'), (text, form) =>
        expect(normalized(text, form)).toBe(text.normalize(form)),
      ),
    );
  });

  it.each([
    ['\u0301', 'of one class'],
    ['\u0301\u0323', 'of two'],
    ['\u{1d165}', 'of two code units each'],
    ['\uff9e\u0301', 'that are marks in the compatibility forms only'],
  ])('has at most thirty marks in a row (%j, %s)', (unit) => {
    const marks = (count: number) => [...unit.repeat(count)].slice(0, count).join('');
    expect(isStreamSafe(`${marks(MAX_MARKS)}a${marks(MAX_MARKS)}`)).toBe(true);
    const [before, after] = [`b${marks(MAX_MARKS)}`, `c${marks(1)}`];
    const text = `${before}a${marks(MAX_MARKS + 1)}${after}`;
    expect(isStreamSafe(text)).toBe(false);
    expect(normalized(text)).toBe(`${before}a\ufffd${after}`.normalize());
  });

  it('counts every character that is sorted', () => {
    const sorted = Array.from({ length: 0x110000 }, (_, code) => code)
      .filter((code) => code < 0xd800 || code > 0xdfff)
      .map((code) => String.fromCodePoint(code))
      .filter((char) => isSorted(char, 'NFC') || isSorted(char, 'NFKC'));
    expect(sorted.length).toBeGreaterThan(800);
    expect(sorted.filter((char) => isStreamSafe(char.repeat(MAX_MARKS + 1)))).toEqual([]);
  });
});

/** It goes before a mark of the last class: none has a later one (https://www.unicode.org/reports/tr44/#Canonical_Combining_Class_Values). */
function isSorted(char: string, form: 'NFC' | 'NFKC'): boolean {
  return `a\u0345${char}`.normalize(form) !== `a\u0345${char.normalize(form)}`;
}

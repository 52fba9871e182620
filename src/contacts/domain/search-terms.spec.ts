import fc from 'fast-check';
import {
  lastDigits,
  misspellings,
  oneOfEach,
  otherSpelling,
  phoneDigits,
  searchWords,
  spellingCandidates,
} from './search-terms.js';

describe('words to look for', () => {
  it.each([
    ['Jana  Nováková', ['Jana', 'Nováková']],
    ['jane.doe+news@acme-shop.com', ['jane', 'doe', 'news', 'acme', 'shop', 'com']],
    ["O'Brien & Sons", ['O', 'Brien', 'Sons']],
    ['山田太郎', ['山田太郎']],
    ['दीपिका', ['दीपिका']],
    ['ｆｕｌｌ　ｗｉｄｔｈ', ['full', 'width']],
    ["' OR 1=1; --", ['OR', '1', '1']],
    ['&|!():*<->"\\%_', []],
    [
      'می\u200cخواهم co\u00adworker foo\u2060bar zero\u200bwidth',
      ['میخواهم', 'coworker', 'foobar', 'zerowidth'],
    ],
    ['🐢', []],
    [' \t\n', []],
  ])('of %j are %j', (text, words) => expect(searchWords(text)).toEqual(words));

  it('are few, short, and contain no query operators, for any text', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string({ unit: 'binary' }), fc.string({ maxLength: 2_000 })), (text) => {
        const words = searchWords(text);
        expect(words.length).toBeLessThanOrEqual(10);
        for (const word of words) expect(word).toMatch(/^[\p{L}\p{N}\p{M}]{1,60}$/u);
      }),
    );
  });

  it('are cut where an emoji would be cut in half', () => {
    expect(searchWords(`${'a '.repeat(5)}${'b'.repeat(289)}🐢`)).toHaveLength(6);
  });
});

describe('a slip of the hand', () => {
  it.each([
    ['shmidt', 'schmidt', 'a letter left out'],
    ['schmiidt', 'schmidt', 'a letter added'],
    ['schmitt', 'schmidt', 'another letter'],
    ['scmhidt', 'schmidt', 'two swapped'],
    ['chmidt', 'schmidt', 'the first one left out'],
    ['schmid', 'schmidt', 'the last one left out'],
    ['петрав', 'петров', 'another script'],
  ])('%s may be %s: %s', (typed, meant) => expect(misspellings(typed)).toContain(meant));

  it('is not looked for in short words and very long ones', () => {
    expect(misspellings('ann')).toEqual(['ann']);
    expect(misspellings('a'.repeat(17))).toEqual(['a'.repeat(17)]);
  });

  it('is one, never two', () => {
    expect(misspellings('maria')).not.toContain('marco');
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom(...'abcxyz'), minLength: 4, maxLength: 16 }), (word) => {
        const near = misspellings(word);
        expect(near).toContain(word);
        expect(near.length).toBe(new Set(near).size);
        expect(near.every((one) => Math.abs(one.length - word.length) <= 1)).toBe(true);
      }),
    );
  });

  it('may be in the three longest words', () => {
    const meant = spellingCandidates(['anna', 'maria', 'garzia', 'schmidt', 'x y']);
    expect(meant.map((group) => group.length > 1)).toEqual([false, true, true, true]);
  });
});

describe('another spelling', () => {
  it.each([
    ['Müller', 'mueller'],
    ['mueller', 'muller'],
    ['Mu\u0308ller', 'mueller'],
    ['Søren', 'soeren'],
    ['Ångström', 'aangstroem'],
    ['jäger', 'jaeger'],
    ['smith', null],
    ['Петров', null],
  ])('of %s is %s', (word, other) => expect(otherSpelling(word)).toBe(other));
});

describe('a phone number', () => {
  it.each([
    ['+420 601 123 456', '420601123456'],
    ['00420601123456', '420601123456'],
    ['(030) 1234-56', '30123456'],
    ['601.123.456', '601123456'],
    ['２０２４５６', '202456'],
    ['1234', null],
    ['00 00 00', null],
    ['jana 601123456', null],
    ['', null],
  ])('in %j has the digits %s', (text, digits) => expect(phoneDigits(text)).toBe(digits));
});

describe('the last digits of a phone number', () => {
  it.each([
    ['491712345678', '712345678'],
    ['2345678', '2345678'],
    ['12020551234', '20551234'],
    ['49000000000', '49000000000'],
  ])('of %s are %s', (digits, last) => expect(lastDigits(digits)).toBe(last));
});

describe('one of each', () => {
  it('is a tsquery', () => {
    expect(oneOfEach([['maria', 'mario'], ['garcia']])).toBe(`('maria'|'mario')&('garcia')`);
  });

  it('may be marked words', () => {
    expect(oneOfEach([['maria'], ['garcia']], '~')).toBe(`('~maria')&('~garcia')`);
  });

  it('is nothing where a word means nothing', () => {
    expect(oneOfEach([['maria'], []])).toBeNull();
    expect(oneOfEach([])).toBeNull();
  });
});

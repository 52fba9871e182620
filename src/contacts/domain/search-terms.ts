import { unicodeDomain } from '#libs/email-address';

/** Longer than any real search; the rest of the text is ignored. */
const MAX_TEXT = 300;
const MAX_WORDS = 10;
const MAX_WORD = 60;

/**
 * Invisible characters within words: soft hyphen, zero-width space, joiners and non-joiners, direction marks, word joiner,
 * BOM.
 */
const INVISIBLE = /[\u00ad\u061c\u200b-\u200f\u2060\ufeff]/g;

/**
 * The words of a typed text: runs of letters, digits and marks, so that an address is split into its parts. They hold no
 * operators of SQL, LIKE or tsquery.
 */
export function searchWords(text: string): string[] {
  const words =
    text
      .slice(0, MAX_TEXT)
      .toWellFormed()
      .replaceAll(/[^\s@]*xn--[^\s@]*/giu, (domain) => unicodeDomain(domain.toLowerCase()))
      .normalize('NFKC')
      .replaceAll(INVISIBLE, '')
      .match(/[\p{L}\p{N}\p{M}]+/gu) ?? [];
  return words.slice(0, MAX_WORDS).map((word) => [...word].slice(0, MAX_WORD).join(''));
}

const UMLAUTS: Readonly<Record<string, string>> = { ä: 'ae', ö: 'oe', ü: 'ue', å: 'aa', ø: 'oe', æ: 'ae' };

/**
 * The other spelling of a word with umlauts: `müller` as `mueller`, and `mueller` as `muller`, which is the indexed form
 * of `Müller`. Null without one.
 */
export function otherSpelling(word: string): string | null {
  const lower = word.toLowerCase().normalize('NFC');
  const spelled = lower.replaceAll(/[äöüåøæ]/g, (letter) => UMLAUTS[letter] ?? letter);
  if (spelled !== lower) return spelled;
  const bare = lower.replaceAll(/([aou])e/g, '$1').replaceAll('aa', 'a');
  return bare === lower ? null : bare;
}

/** Fewer digits occur in too many numbers. */
const SHORTEST_PHONE = 5;

/**
 * The digits of a text that looks like a phone number, without the zeros of a trunk or exit code, so that 0049 30 1234 and
 * 030 1234 find +49 30 1234. Null for other texts.
 */
export function phoneDigits(text: string): string | null {
  const typed = text.slice(0, MAX_TEXT).normalize('NFKC').trim();
  if (!/^\+?[\d\s()./-]+$/.test(typed)) return null;
  const digits = typed.replaceAll(/\D/g, '').replace(/^0+/, '');
  return digits.length >= SHORTEST_PHONE ? digits : null;
}

/**
 * The number of digits that `contacts.phone_key` compares. They are the same with a country code, with a leading zero and
 * without.
 */
const COMPARED = 9;

/** The last digits of a phone number, which are independent of how its beginning is written. */
export function lastDigits(digits: string): string {
  const last = digits.slice(-COMPARED).replace(/^0+/, '');
  return last.length >= SHORTEST_PHONE ? last : digits;
}

const ALPHABETS = [
  [...'abcdefghijklmnopqrstuvwxyz'],
  [...'абвгдежзийклмнопрстуфхцчшщъыьэюяіїєґў'],
  // Folded: without the final sigma.
  [...'αβγδεζηθικλμνξοπρστυφχψω'],
  [...'אבגדהוזחטיכךלמםנןסעפףצץקרשת'],
  [...'ابتثجحخدذرزسشصضطظعغفقكلمنهويةىءأإآؤئپچژگک'],
];

/** A shorter word is one typo away from too many others; a longer one costs too many lookups. */
const [SHORTEST, LONGEST] = [4, 16];

/**
 * The word and every word that is one typo away (a letter omitted, added or replaced, or two adjacent letters swapped).
 * Only the word itself when it has fewer than 4 letters or more than 16.
 */
export function misspellings(word: string): string[] {
  const letters = [...word];
  if (letters.length < SHORTEST || letters.length > LONGEST) return [word];
  const alphabet = ALPHABETS.find((one) => letters.some((letter) => one.includes(letter))) ?? [];
  const near = new Set([word]);
  for (let at = 0; at <= letters.length; at += 1) {
    const [before, after] = [letters.slice(0, at), letters.slice(at)];
    const [first, second, ...rest] = after;
    for (const letter of alphabet) near.add([...before, letter, ...after].join(''));
    if (first === undefined) continue;
    near.add([...before, ...after.slice(1)].join(''));
    for (const letter of alphabet) near.add([...before, letter, ...after.slice(1)].join(''));
    if (second !== undefined) near.add([...before, second, first, ...rest].join(''));
  }
  return [...near];
}

/** Words that may be misspelled in one search; of more, the longest ones. */
const MAX_MISSPELLED = 3;

/**
 * The possible spellings of each word.
 * @param words folded as in the index; words with other characters than letters, digits and marks are ignored.
 */
export function spellingCandidates(words: readonly string[]): string[][] {
  const plain = words.filter((word) => /^[\p{L}\p{N}\p{M}]+$/u.test(word));
  const longest = plain.toSorted((a, b) => b.length - a.length).slice(0, MAX_MISSPELLED);
  return plain.map((word) => (longest.includes(word) ? misspellings(word) : [word]));
}

/**
 * A tsquery for one word of each group. Null without groups, or when a group is empty.
 * @param mark prefix of every word
 */
export function oneOfEach(groups: readonly (readonly string[])[], mark = ''): string | null {
  if (groups.length === 0 || groups.some((group) => group.length === 0)) return null;
  return groups.map((group) => `(${group.map((word) => `'${mark}${word}'`).join('|')})`).join('&');
}

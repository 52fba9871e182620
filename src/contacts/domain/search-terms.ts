/** More than anybody types; what is beyond is not looked for. */
const MAX_TEXT = 300;
const MAX_WORDS = 10;
const MAX_WORD = 60;

/** Stand inside of words and change nothing of them: soft hyphen, zero-width space, joiners and non-joiners, direction marks, word joiner, BOM. */
const INVISIBLE = /[\u00ad\u061c\u200b-\u200f\u2060\ufeff]/g;

/**
 * The words of what a person typed: runs of letters, digits and marks, so that an address falls into its parts. Nothing
 * in them means anything to SQL, LIKE or tsquery.
 */
export function searchWords(text: string): string[] {
  const words =
    text
      .slice(0, MAX_TEXT)
      .toWellFormed()
      .normalize('NFKC')
      .replaceAll(INVISIBLE, '')
      .match(/[\p{L}\p{N}\p{M}]+/gu) ?? [];
  return words.slice(0, MAX_WORDS).map((word) => [...word].slice(0, MAX_WORD).join(''));
}

const UMLAUTS: Readonly<Record<string, string>> = { ä: 'ae', ö: 'oe', ü: 'ue', å: 'aa', ø: 'oe', æ: 'ae' };

/**
 * How else a word with umlauts is written: `müller` as `mueller`, and `mueller` as `muller`, which is how the index holds
 * `Müller`. Null when there is no other way.
 */
export function otherSpelling(word: string): string | null {
  const lower = word.toLowerCase().normalize('NFC');
  const spelled = lower.replaceAll(/[äöüåøæ]/g, (letter) => UMLAUTS[letter] ?? letter);
  if (spelled !== lower) return spelled;
  const bare = lower.replaceAll(/([aou])e/g, '$1').replaceAll('aa', 'a');
  return bare === lower ? null : bare;
}

/** Fewer digits are part of too many numbers. */
const SHORTEST_PHONE = 5;

/**
 * The digits of what looks like a phone number, without the zeros of a trunk or exit code, so that 0049 30 1234 and
 * 030 1234 find +49 30 1234. Null for anything else.
 */
export function phoneDigits(text: string): string | null {
  const typed = text.slice(0, MAX_TEXT).normalize('NFKC').trim();
  if (!/^\+?[\d\s()./-]+$/.test(typed)) return null;
  const digits = typed.replaceAll(/\D/g, '').replace(/^0+/, '');
  return digits.length >= SHORTEST_PHONE ? digits : null;
}

/** As many as `contacts.phone_key` compares: they are the same with a country code, with a zero in its place, and without. */
const COMPARED = 9;

/** The last digits of those of a phone number, by which it is found however its beginning is written. */
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

/** Below, nearly every word is one slip away from another one; above, each slip costs more to look for than it helps. */
const [SHORTEST, LONGEST] = [4, 16];

/**
 * Every word that is one slip of the hand away from this one (a letter left out, added, or another, or two neighbours
 * swapped), and the word itself. Only itself when it is shorter than 4 letters or longer than 16.
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

/** So many words may be misspelled at once; of more, the longest. */
const MAX_MISSPELLED = 3;

/**
 * For each word what may have been meant by it.
 * @param words folded as the index is; what is not a plain word is left out.
 */
export function spellingCandidates(words: readonly string[]): string[][] {
  const plain = words.filter((word) => /^[\p{L}\p{N}\p{M}]+$/u.test(word));
  const longest = plain.toSorted((a, b) => b.length - a.length).slice(0, MAX_MISSPELLED);
  return plain.map((word) => (longest.includes(word) ? misspellings(word) : [word]));
}

/**
 * A tsquery: of each group one. Null when there is a group of which none can be found, or no group.
 * @param mark put before every word
 */
export function oneOfEach(groups: readonly (readonly string[])[], mark = ''): string | null {
  if (groups.length === 0 || groups.some((group) => group.length === 0)) return null;
  return groups.map((group) => `(${group.map((word) => `'${mark}${word}'`).join('|')})`).join('&');
}

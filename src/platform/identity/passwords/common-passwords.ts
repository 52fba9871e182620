import { COMMON_PATTERNS, COMMON_WORDS, LONGEST_WORD } from './common-words.js';
import { countWalks } from './keyboard-walks.js';

/** An attacker can try all numbers with fewer digits, alone or around a word. */
const MIN_DIGITS = 12;
/** Minimum average keys of a keyboard walk: `qwer1234`, `abc123456`. */
const MIN_WALK_LENGTH = 3;
/** Maximum period of a repetition: `123123123123`. */
const MAX_PERIOD = 4;

/** Substitutes for letters: `p@ssw0rd`. A 1 can replace an i or an l. */
const LOOKALIKES: Readonly<Record<string, string>> = {
  '@': 'a',
  4: 'a',
  8: 'b',
  3: 'e',
  6: 'g',
  '!': 'i',
  0: 'o',
  5: 's',
  $: 's',
  7: 't',
  2: 'z',
};

/**
 * Detects the patterns that attackers guess first: one or two common words, also with substitutes, digits and marks; short
 * numbers; repetitions; walks over the keyboard or the alphabet. It has no list of whole passwords, so some common ones pass.
 */
export function isCommonPassword(password: string): boolean {
  const plain = password.normalize('NFKC').toLowerCase();
  const compact = plain.replace(/[^\p{L}\p{N}]/gu, '');
  return isShortNumber(plain) || isRepeated(plain) || [plain, compact].some(isGuessable);
}

function isGuessable(text: string): boolean {
  if (text === '') return false;
  return COMMON_PATTERNS.has(text) || countWalks(text) * MIN_WALK_LENGTH <= text.length || isWords(text);
}

/** 12051990, 12/05/1990! */
function isShortNumber(text: string): boolean {
  const inside = text.replace(/^[^\p{L}\p{N}]+|[^\p{L}\p{N}]+$/gu, '').replace(/[\s./:_-]/g, '');
  return /^\p{N}+$/u.test(inside) && inside.length < MIN_DIGITS;
}

function isRepeated(text: string): boolean {
  const periods = Array.from({ length: MAX_PERIOD }, (_, i) => i + 1);
  return periods.some((period) => text.slice(period) === text.slice(0, -period));
}

/** Strips the ends: all non-letters, or all except substitutes that can end a word. */
function isWords(text: string): boolean {
  const ends = [/^\P{L}+|\P{L}+$/gu, /^[^\p{L}@$]+|[^\p{L}@$]+$/gu, /^$/gu];
  return ends.some((end) => {
    const inside = text.replace(end, '');
    if (text.length - inside.length >= MIN_DIGITS || inside.length > 2 * LONGEST_WORD) return false;
    return isOneOrTwoWords(replaceLookalikes(inside, 'i')) || isOneOrTwoWords(replaceLookalikes(inside, 'l'));
  });
}

function replaceLookalikes(text: string, one: string): string {
  return [...text]
    .map((character) => (character === '1' ? one : (LOOKALIKES[character] ?? character)))
    .join('');
}

function isOneOrTwoWords(text: string): boolean {
  if (COMMON_WORDS.has(text)) return true;
  return [...text].some((_, i) => COMMON_WORDS.has(text.slice(0, i)) && COMMON_WORDS.has(text.slice(i)));
}

import { COMMON_PATTERNS, COMMON_WORDS, LONGEST_WORD } from './common-words.js';
import { countWalks } from './keyboard-walks.js';

/** Fewer digits than this, alone or around a word, do not make a password: all of them can be tried. */
const MANY_DIGITS = 12;
/** Nor do walks of this many keys on average: `qwer1234`, `abc123456`. */
const SHORT_WALK = 3;
/** Nor the same few characters again and again: `123123123123`. */
const FEW_CHARACTERS = 4;

/** What is written for a letter: `p@ssw0rd`. A 1 may stand for two of them. */
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
 * Whether it is built like those that guessing begins with: one or two of the words that breached passwords consist of,
 * also in lookalikes, with some digits and marks around; a short number; a few characters repeated; walks over the keyboard
 * and the alphabet. It knows no list of whole passwords, so some of the most used ones may pass.
 */
export function isCommonPassword(password: string): boolean {
  const plain = password.normalize('NFKC').toLowerCase();
  const compact = plain.replace(/[^\p{L}\p{N}]/gu, '');
  return isShortNumber(plain) || isRepeated(plain) || [plain, compact].some(isGuessable);
}

function isGuessable(text: string): boolean {
  if (text === '') return false;
  return COMMON_PATTERNS.has(text) || countWalks(text) * SHORT_WALK <= text.length || isWords(text);
}

/** 12051990, 12/05/1990! */
function isShortNumber(text: string): boolean {
  const inside = text.replace(/^[^\p{L}\p{N}]+|[^\p{L}\p{N}]+$/gu, '').replace(/[\s./:_-]/g, '');
  return /^\p{N}+$/u.test(inside) && inside.length < MANY_DIGITS;
}

function isRepeated(text: string): boolean {
  const periods = Array.from({ length: FEW_CHARACTERS }, (_, i) => i + 1);
  return periods.some((period) => text.slice(period) === text.slice(0, -period));
}

/** With what is around taken off, be it all that is no letter or all but what may stand for one at its end. */
function isWords(text: string): boolean {
  const ends = [/^\P{L}+|\P{L}+$/gu, /^[^\p{L}@$]+|[^\p{L}@$]+$/gu, /^$/gu];
  return ends.some((end) => {
    const inside = text.replace(end, '');
    if (text.length - inside.length >= MANY_DIGITS || inside.length > 2 * LONGEST_WORD) return false;
    return isOneOrTwoWords(read(inside, 'i')) || isOneOrTwoWords(read(inside, 'l'));
  });
}

function read(text: string, one: string): string {
  return [...text]
    .map((character) => (character === '1' ? one : (LOOKALIKES[character] ?? character)))
    .join('');
}

function isOneOrTwoWords(text: string): boolean {
  if (COMMON_WORDS.has(text)) return true;
  return [...text].some((_, i) => COMMON_WORDS.has(text.slice(0, i)) && COMMON_WORDS.has(text.slice(i)));
}

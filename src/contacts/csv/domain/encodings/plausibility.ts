import { type HanLanguage, HanModel, LanguageModel } from './language-models.js';
import { LATIN, ARABIC, CYRILLIC, GREEK, HEBREW, THAI } from './words-of-languages.js';

/** Letters with their marks; characters that are words of their own; any other character outside of ASCII. */
const PARTS = /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Hangul}ー]+|[\p{L}\p{M}]+|[^\p{ASCII}]/gu;
const HAN = /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Hangul}ー]/u;
const HALF_WIDTH = /[\uff61-\uffdc]/u;
const ASCII = /^\p{ASCII}*$/u;
const LETTER = /[\p{L}\p{M}]/u;

/** Natural logarithms of the probability of a character, by its category. */
const [QUOTES, SIGNS, OTHERS, UNASSIGNED] = [-7, -9, -12, -18];
const USUAL_QUOTES = /[’‘“”„«»–—…€\u00a0£°®™©·]/u;
const OTHER_SIGNS = /[ºª§´•¿¡½²³№\u3000-\u303f\uff00-\uff60]/u;
const NOTHING = /[\p{C}\ufffd]/u;
/** A punctuation character within a word, other than the apostrophe of O’Neill and D’Angelo. */
const INSIDE = -5;
/** A capital letter after a small one, or two capitals at the start of a word of small letters. */
const ODD_CAPITAL = -4;
/** Characters of East Asia next to letters of ASCII. */
const MIXED = -3;

const once = <T>(make: () => T): (() => T) => {
  let made: T | undefined;
  return () => (made ??= make());
};
const modelsOf = (words: readonly string[]) => once(() => words.map((line) => new LanguageModel(line)));

const MODELS: readonly (readonly [RegExp, () => LanguageModel[]])[] = [
  [/\p{sc=Cyrillic}/u, modelsOf(CYRILLIC)],
  [/\p{sc=Greek}/u, modelsOf(GREEK)],
  [/\p{sc=Hebrew}/u, modelsOf(HEBREW)],
  [/\p{sc=Arabic}/u, modelsOf(ARABIC)],
  [/\p{sc=Thai}/u, modelsOf(THAI)],
  [/./u, modelsOf(LATIN)],
];

/** The plausibility of a text as names, places and companies of any language. Caches the words it has seen. */
export class Plausibility {
  private readonly words = new Map<string, number>();

  /**
   * @param han the model for characters of East Asia; without it none are expected.
   * @returns the natural logarithm of a likelihood; ASCII text between words does not count.
   */
  score(text: string, han?: HanModel): number {
    let score = 0;
    for (const { 0: part, index } of text.matchAll(PARTS)) {
      const before = text.charAt(index - 1);
      const after = text.charAt(index + part.length);
      if (HAN.test(part))
        score += this.han(part, han) + (isAsciiLetter(before) || isAsciiLetter(after) ? MIXED : 0);
      else if (LETTER.test(part)) score += this.word(part);
      else score += sign(part) + (LETTER.test(before) && LETTER.test(after) ? inside(part, text, index) : 0);
    }
    return score;
  }

  private han(part: string, han: HanModel | undefined): number {
    if (han && !HALF_WIDTH.test(part)) return han.score(part);
    return part.length * OTHERS;
  }

  private word(word: string): number {
    const known = this.words.get(word);
    if (known !== undefined) return known;
    const models = (MODELS.find(([script]) => script.test(word)) as (typeof MODELS)[number])[1]();
    const small = lowerCase(word.normalize('NFC'));
    const score = Math.max(...models.map((model) => model.score(small))) + oddCapitals(word);
    this.words.set(word, score);
    return score;
  }
}

const hanModels = new Map<string, HanModel>();

/** @param everyday first bytes of the common characters in the encoding `label`. */
export function hanModel(
  label: string,
  language: HanLanguage,
  [from, to]: readonly [number, number],
): HanModel {
  const known = hanModels.get(label);
  if (known) return known;
  const bytes = Buffer.alloc((to - from + 1) * 94 * 2);
  for (let at = 0; at < bytes.length; at += 2) {
    bytes[at] = from + Math.floor(at / 188);
    bytes[at + 1] = 0xa1 + ((at / 2) % 94);
  }
  const text = new TextDecoder(label).decode(bytes);
  const model = new HanModel(language, new Set(text.replaceAll('\ufffd', '')));
  hanModels.set(label, model);
  return model;
}

const isAsciiLetter = (character: string) => /^[a-z]$/i.test(character);

/** Otherwise `İ` becomes two characters, one of them ASCII. */
const lowerCase = (word: string) => word.replaceAll('İ', '\u0001').toLowerCase().replaceAll('\u0001', 'i̇');

function sign(character: string): number {
  if (NOTHING.test(character)) return UNASSIGNED;
  if (USUAL_QUOTES.test(character)) return QUOTES;
  return OTHER_SIGNS.test(character) ? SIGNS : OTHERS;
}

function inside(character: string, text: string, index: number): number {
  const isApostrophe = character === '’' && !LETTER.test(text.charAt(index - 2));
  return isApostrophe ? 0 : INSIDE;
}

/** All encodings agree on ASCII words. */
function oddCapitals(word: string): number {
  if (ASCII.test(word) || word === word.toUpperCase()) return 0;
  const backToCapital = word.match(/\p{Ll}\p{M}*(?=\p{Lu})/gu)?.length ?? 0;
  const twoCapitals = /^\p{Lu}\p{Lu}+\p{Ll}/u.test(word) ? 1 : 0;
  return ODD_CAPITAL * (backToCapital + twoCapitals);
}

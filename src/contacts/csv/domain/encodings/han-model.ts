import type { HanLanguage } from './han-characters.js';
import { HAN } from './han-characters.js';

/** The probability of single characters of a language without an alphabet. */
export class HanModel {
  private readonly common = new Map<string, number>();

  constructor(
    language: HanLanguage,
    /** Characters of the first level of the encoding's standard: the common ones. */
    private readonly everyday: ReadonlySet<string>,
  ) {
    const ranked = [...new Set(HAN[language])];
    const weights = ranked.map((_, rank) => 1 / (rank + FLAT));
    const sum = weights.reduce((total, weight) => total + weight, 0);
    ranked.forEach((character, rank) => this.common.set(character, (COMMON * (weights[rank] ?? 0)) / sum));
  }

  /** Natural logarithm of the probability of a text of such characters. */
  score(text: string): number {
    let score = 0;
    for (const character of text) score += Math.log(this.probability(character));
    return score;
  }

  private probability(character: string): number {
    const common = this.common.get(character) ?? 0;
    const everyday = this.everyday.has(character) ? EVERYDAY / this.everyday.size : 0;
    return common + everyday + RARE;
  }
}

/** Shares of the most common and of all common characters; and the probability of any other character. */
const COMMON = 0.7;
const EVERYDAY = 0.29;
const RARE = 5e-7;
/** Flattens the first ranks (Zipf–Mandelbrot). */
const FLAT = 30;

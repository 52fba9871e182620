import type { HanLanguage } from './han-characters.js';
import { HAN } from './han-characters.js';

/** How likely characters of a language without letters are, each by itself. */
export class HanModel {
  private readonly common = new Map<string, number>();

  constructor(
    language: HanLanguage,
    /** Characters of the first level of the encoding's standard: those in everyday use. */
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

/** Shares of the commonest and of all characters in everyday use; and the probability of any other. */
const COMMON = 0.7;
const EVERYDAY = 0.29;
const RARE = 5e-7;
/** Makes the first ranks alike (Zipf–Mandelbrot). */
const FLAT = 30;

/** The probability of words of a language, from its pairs of letters. */
export class LanguageModel {
  private readonly pairs = new Map<string, number>();
  private readonly letters = new Map<string, number>();
  private total = 0;

  /** @param words in lower case, separated by spaces. */
  constructor(words: string) {
    for (const word of words.split(' ')) this.learn(word);
  }

  /** Natural logarithm of the probability of a word. @param word in lower case. */
  score(word: string): number {
    let score = 0;
    let before = BORDER;
    for (const letter of `${word}${BORDER}`) {
      score += Math.log(this.probability(before, letter));
      before = letter;
    }
    return score;
  }

  private learn(word: string): void {
    let before = BORDER;
    for (const letter of `${word}${BORDER}`) {
      count(this.pairs, before + letter);
      count(this.letters, letter);
      this.total += 1;
      before = letter;
    }
  }

  /** The probability of unseen pairs is that of the second letter (additive smoothing with a unigram prior). */
  private probability(before: string, letter: string): number {
    const alone = (1 - UNKNOWN) * ((this.letters.get(letter) ?? 0) / this.total) + UNKNOWN;
    const follows = this.letters.get(before) ?? 0;
    return ((this.pairs.get(before + letter) ?? 0) + PRIOR * alone) / (follows + PRIOR);
  }
}

const BORDER = ' ';
/** Weight of the unigram, in observations. */
const PRIOR = 10;
/** Probability of a letter that the language does not have: names come from all languages. */
const UNKNOWN = 2e-6;

function count(counts: Map<string, number>, key: string): void {
  counts.set(key, (counts.get(key) ?? 0) + 1);
}

/** How likely words are in a language, by which letter follows which. */
export class LanguageModel {
  private readonly pairs = new Map<string, number>();
  private readonly letters = new Map<string, number>();
  private total = 0;

  /** @param words in lower case, parted by spaces. */
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

  /** Pairs that were not seen are as likely as their letter makes them (additive smoothing with a unigram prior). */
  private probability(before: string, letter: string): number {
    const alone = (1 - UNKNOWN) * ((this.letters.get(letter) ?? 0) / this.total) + UNKNOWN;
    const follows = this.letters.get(before) ?? 0;
    return ((this.pairs.get(before + letter) ?? 0) + PRIOR * alone) / (follows + PRIOR);
  }
}

const BORDER = ' ';
/** Weight of the unigram, in observations. */
const PRIOR = 10;
/** Probability of a letter that the language does not have: names come from everywhere. */
const UNKNOWN = 2e-6;

function count(counts: Map<string, number>, key: string): void {
  counts.set(key, (counts.get(key) ?? 0) + 1);
}

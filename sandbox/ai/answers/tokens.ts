/**
 * Tokens as this sandbox counts them: a word with the blank before it in pieces of at most six letters, and each other character.
 * No provider publishes counts of its own that could be matched; what matters is that the count fits the text.
 */
const TOKEN = /\s?[\p{L}\p{N}]{1,6}|\s?[^\s\p{L}\p{N}]|\s/gu;

/** Joined they are the text. */
export const tokensOf = (text: string): readonly string[] => text.match(TOKEN) ?? [];

export function countTokens(text: string): number {
  TOKEN.lastIndex = 0;
  let count = 0;
  while (TOKEN.test(text)) count += 1;
  return count;
}

/** Groups of tokens, as they are sent. */
export function* partsOf(tokens: readonly string[], size: number): Generator<readonly string[]> {
  for (let start = 0; start < tokens.length; start += size) yield tokens.slice(start, start + size);
}

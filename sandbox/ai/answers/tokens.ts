import { hash } from 'node:crypto';
import { seededRandom } from '../../faults/random.js';

const SENTENCES = [
  'It’s short, clear and honest — the reader knows what happens next.',
  'The first line carries the news; the second says why it matters.',
  'A number helps: readers remember “3 of 4” better than “most”.',
  'One idea per paragraph keeps the pace.',
  'Close with a question that is easy to answer.',
  'Grüße aus Zürich work as well as greetings from anywhere else 🙂.',
  'Avoid the passive voice where a person acted.',
  'Say what it costs, and say it early.',
  'The picture should show the thing, not a metaphor of it.',
  'Publish it on a morning when people have coffee ☕.',
  'Leave out every word that the reader would skip.',
  'Names of people come before names of products.',
] as const;

/** The same number for the same text. */
export const seedOf = (text: string): number => Number.parseInt(hash('sha256', text, 'hex').slice(0, 8), 16);

/** An answer to a prompt, the same for the same one. @param words its exact length; null: a few sentences */
export function writtenFor(asked: string, words: number | null): string {
  const next = seededRandom(seedOf(asked));
  const subject = [...asked.replaceAll(/\s+/g, ' ').trim()].slice(0, 60).join('');
  const text = [`About “${subject}”:`];
  const sentence = (): string => SENTENCES[Math.floor(next() * SENTENCES.length)] ?? SENTENCES[0];
  if (words === null) {
    for (let count = 2 + Math.floor(next() * 3); count > 0; count -= 1) text.push(sentence());
    return text.join(' ');
  }
  const all: string[] = text.join(' ').split(' ');
  while (all.length < words) all.push(...sentence().split(' '));
  return all.slice(0, words).join(' ');
}

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

export function* partsOf(tokens: readonly string[], size: number): Generator<readonly string[]> {
  for (let start = 0; start < tokens.length; start += size) yield tokens.slice(start, start + size);
}

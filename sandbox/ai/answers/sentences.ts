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

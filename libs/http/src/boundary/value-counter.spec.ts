import { ValueCounter } from './parse-json.js';

/** As it arrives, in parts of `size` bytes. */
function isRefused(text: string, size = 64 * 1024): boolean {
  const bytes = Buffer.from(text);
  const counter = new ValueCounter();
  try {
    for (let at = 0; at < bytes.length; at += size) counter.add(bytes.subarray(at, at + size));
    return false;
  } catch {
    return true;
  }
}
const list = (value: string, count: number) => `[${Array.from({ length: count }, () => value).join(', ')}]`;

describe('values of a JSON text', () => {
  it.each<[string, string, boolean]>([
    ['the most values', list('1', 9_999), false],
    ['one more', list('1', 10_000), true],
    ['empty lists and objects', list('[ ]', 5_000).replace(/\[ \]/, '{ }'), false],
    ['lists in lists', '['.repeat(20_000), true],
    ['members of objects', `{${Array.from({ length: 10_000 }, (_, at) => `"${at}":[]`).join()}}`, true],
    ['separators in strings', JSON.stringify([',[{'.repeat(20_000)]), false],
    ['escaped quotes in strings', JSON.stringify(['",'.repeat(20_000), '\\']), false],
    ['values after a string that ends in a backslash', `["\\\\", ${list('1', 10_000)}]`, true],
  ])('%s', (_, text, refused) => {
    expect([isRefused(text), isRefused(text, 7)]).toEqual([refused, refused]);
  });
});

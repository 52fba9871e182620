import { readFileSync } from 'node:fs';
import { parentIn } from './orphan.js';

describe('the parent of a process', () => {
  it.each([
    ['4711 (sh) S 4700 4711 4700 0 -1', '4700'],
    ['4711 (npm start) R 4700 4711 4700 0 -1', '4700'],
    ['4711 (a) b) (c) S 4700 4711 4700 0 -1', '4700'],
  ])('is found whatever its name: %s', (stat, parent) => {
    expect(parentIn(stat)).toBe(parent);
  });

  it('is found in what the system says of this one', () => {
    if (process.platform !== 'linux') return;
    expect(parentIn(readFileSync('/proc/self/stat', 'utf8'))).toBe(String(process.ppid));
  });
});

import { TokenDigests } from './token-digests.js';

describe('configured tokens', () => {
  it('accept each of them and nothing else', () => {
    const tokens = new TokenDigests(['first', 'second']);
    expect(['first', 'second'].map((token) => tokens.has(token))).toEqual([true, true]);
    for (const other of ['', 'firs', 'first ', 'FIRST', 'first,second', 'é'])
      expect(tokens.has(other)).toBe(false);
  });

  it.each([[[]], [['']], [['', '']]])('accept nothing where %j is configured', (configured) => {
    const tokens = new TokenDigests(configured);
    expect(['', 'undefined', 'token'].map((token) => tokens.has(token))).toEqual([false, false, false]);
  });
});

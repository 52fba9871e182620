import { parsedJson } from './parsed-json.js';

describe('JSON of another party', () => {
  it('keeps integers that a number cannot hold, as text', () => {
    expect(parsedJson('{"id":1234567890123456789,"n":1.5,"safe":1234567890123456}')).toEqual({
      id: '1234567890123456789',
      n: 1.5,
      safe: 1_234_567_890_123_456,
    });
  });

  it('may begin with a byte order mark', () => {
    expect(parsedJson('\ufeff{"a":1}')).toEqual({ a: 1 });
  });

  it('is undefined for other text', () => {
    expect(['', 'text', '{"a"', '\ufeff'].map(parsedJson)).toEqual([
      undefined,
      undefined,
      undefined,
      undefined,
    ]);
  });
});

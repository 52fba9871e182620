import { setFlagsFromString } from 'node:v8';
import { isBase64 } from './text-fields.js';

describe('Base64', () => {
  // First: an expression keeps the code that its first use compiled.
  it('is recognized in 20 MB, also in a process that has compiled many expressions', () => {
    const text = Buffer.alloc(15_000_000, 7).toString('base64');
    setFlagsFromString('--no-regexp-optimization');
    try {
      expect([isBase64(text), isBase64(`${text.slice(0, -1)}!`)]).toEqual([true, false]);
    } finally {
      setFlagsFromString('--regexp-optimization');
    }
  });

  it.each(['', 'QQ==', 'QUI=', 'QUJD', '+/+/'])('is "%s"', (text) => expect(isBase64(text)).toBe(true));

  it.each(['Q', 'QQ=', 'Q===', 'QQ==QQ==', 'QQ==\n', '-_-_', 'QU D', 'QUJ\u00e9', '===='])(
    'is not "%s"',
    (text) => expect(isBase64(text)).toBe(false),
  );
});

import fc from 'fast-check';
import { cleanFileName } from './file-name.js';

describe('the name of a file', () => {
  it.each([
    ['offer 2026.pdf', 'offer 2026.pdf'],
    ['  Smlouva o dílo – příloha č. 1.docx ', 'Smlouva o dílo – příloha č. 1.docx'],
    ['名刺.png', '名刺.png'],
    ['C:\\Users\\jana\\photo.jpg', 'photo.jpg'],
    ['../../etc/passwd', 'passwd'],
    ['..', 'file'],
    ['', 'file'],
    ['/', 'file'],
    ['a\r\nSet-Cookie: x=1', 'aSet-Cookie: x=1'],
    ['tab\tand\u00a0space', 'taband space'],
    ['invoice\u202egpj.exe', 'invoicegpj.exe'],
    ['\ufeffdata.csv', 'data.csv'],
    ['name. . .', 'name'],
    ['.htaccess', '.htaccess'],
    ['e\u0301te\u0301.txt', '\u00e9t\u00e9.txt'],
  ])('%j is kept as %j', (given, kept) => expect(cleanFileName(given)).toBe(kept));

  it('keeps its extension when it is too long', () => {
    const name = cleanFileName(`${'ž'.repeat(300)}.pdf`);
    expect(Buffer.byteLength(name)).toBeLessThanOrEqual(255);
    expect(name).toMatch(/^ž+\.pdf$/);
  });

  const anything = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 400 }),
    fc.string({ unit: 'grapheme', maxLength: 400 }),
    fc
      .array(
        fc.constantFrom('.', '/', '\\', '"', '%', '\r', '\n', '\0', '\u202e', '\ud800', '🐢', 'a', ' ', "'"),
        {
          maxLength: 400,
        },
      )
      .map((parts) => parts.join('')),
  );

  it('is safe for any input, and cleaning it again changes nothing', () => {
    fc.assert(
      fc.property(anything, (given) => {
        const name = cleanFileName(given);
        expect(name.length).toBeGreaterThan(0);
        expect(Buffer.byteLength(name)).toBeLessThanOrEqual(255);
        expect(['.', '..']).not.toContain(name);
        expect(name).not.toMatch(/[/\\\p{Cc}\u202a-\u202e\u2066-\u2069]/u);
        expect(name.isWellFormed()).toBe(true);
        expect(cleanFileName(name)).toBe(name);
      }),
    );
  });
});

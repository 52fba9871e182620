import fc from 'fast-check';
import { contentDisposition } from './presigner.js';

describe('the content disposition of a download', () => {
  it('is ASCII and gives back the name, for any name', () => {
    const name = fc.oneof(fc.string({ unit: 'binary' }), fc.string({ unit: 'grapheme' }));
    fc.assert(
      fc.property(name, (given) => {
        const header = contentDisposition(given);
        const [, ascii, encoded] =
          /^attachment; filename="([^"\\]*)"; filename\*=UTF-8''(\S*)$/.exec(header) ?? [];
        expect(header).toMatch(/^[\x20-\x7e]+$/);
        expect(ascii).not.toContain('%');
        expect(encoded).toMatch(/^([A-Za-z0-9!#$&+\-.^_`|~]|%[0-9A-F]{2})*$/);
        expect(decodeURIComponent(encoded ?? '')).toBe(given);
      }),
    );
  });
});

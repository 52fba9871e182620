import fc from 'fast-check';
import { HEAD_BYTES, typeOfFile } from './file-type.js';

const bytes = (text: string) => Buffer.from(text, 'latin1');
const zip = (...entries: string[]) =>
  bytes(entries.map((entry) => `PK\x03\x04${'\0'.repeat(26)}${entry}`).join(''));
const OFFICE = 'application/vnd.openxmlformats-officedocument';

describe('the type of a file', () => {
  it.each([
    ['image/png', bytes('\x89PNG\r\n\x1a\n\0\0\0\rIHDR')],
    ['image/jpeg', bytes('\xff\xd8\xff\xe0\0\x10JFIF')],
    ['image/gif', bytes('GIF89a\x01\0')],
    ['image/webp', bytes('RIFF\x10\0\0\0WEBPVP8 ')],
    ['audio/wav', bytes('RIFF\x10\0\0\0WAVEfmt ')],
    ['image/heic', bytes('\0\0\0\x18ftypheic\0\0\0\0')],
    ['video/mp4', bytes('\0\0\0\x18ftypisom\0\0\0\0')],
    ['application/pdf', bytes('%PDF-1.7\n%\xe2\xe3')],
    ['application/rtf', bytes('{\\rtf1\\ansi')],
    ['application/gzip', bytes('\x1f\x8b\x08\0')],
    ['application/x-ole-storage', bytes('\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1\0')],
    ['application/zip', zip('a.txt')],
    ['application/zip', zip('word/but-no-office.txt')],
    [`${OFFICE}.wordprocessingml.document`, zip('[Content_Types].xml', 'word/document.xml')],
    [`${OFFICE}.spreadsheetml.sheet`, zip('_rels/.rels', 'xl/workbook.xml')],
    [`${OFFICE}.presentationml.presentation`, zip('[Content_Types].xml', 'ppt/presentation.xml')],
    [
      'application/vnd.oasis.opendocument.text',
      zip('mimetypeapplication/vnd.oasis.opendocument.text', 'content.xml'),
    ],
    ['application/zip', zip('mimetypetext/html', 'index.html')],
    ['application/octet-stream', bytes('\x7fELF\x02\x01\x01\0')],
    ['application/octet-stream', bytes('Caf\xe9 in Latin-1')],
  ])('is %s by its bytes', (type, head) => expect(typeOfFile(head)).toBe(type));

  it.each([
    ['nothing', ''],
    ['notes', 'Příliš žluťoučký kůň\r\n\tpěl'],
    ['a list', '\ufeffname;email\r\nJana;jana@example.com'],
    ['a page that would run', '<!doctype html><script>alert(1)</script>'],
    ['a picture that would run', '<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>'],
    ['XML', '<?xml version="1.0"?><html xmlns="http://www.w3.org/1999/xhtml"/>'],
  ])('is plain text for %s', (_, text) => expect(typeOfFile(Buffer.from(text))).toBe('text/plain'));

  it('is plain text wherever the beginning is cut off', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 3 }), (shift) => {
        const text = Buffer.from(`${'a'.repeat(shift)}${'🐢'.repeat(HEAD_BYTES)}`).subarray(0, HEAD_BYTES);
        expect(typeOfFile(text)).toBe('text/plain');
      }),
    );
  });

  it('is never one that a browser runs', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), fc.string(), (noise, text) => {
        for (const head of [noise, Buffer.from(text), Buffer.concat([Buffer.from(text), noise])]) {
          expect(typeOfFile(head)).not.toMatch(/html|svg|xml$|script/);
        }
      }),
    );
  });
});

import { FileIsNotText } from '../domain/csv.errors.js';
import { encodingOf } from './encoding.js';
import { Utf8Scan } from './utf8-scan.js';

function evidence(bytes: Buffer, chunk = bytes.length || 1) {
  const scan = new Utf8Scan();
  for (let at = 0; at < bytes.length; at += chunk) scan.push(bytes.subarray(at, at + chunk));
  return scan.end();
}

const decide = (bytes: Buffer, hint?: string) => encodingOf(bytes.subarray(0, 65_536), evidence(bytes), hint);
const latin1 = (text: string) => Buffer.from(text, 'latin1');

describe('the encoding of a file', () => {
  it.each([
    ['UTF-8 with a mark', Buffer.from('\ufeffname'), 'utf-8', 'bom'],
    ['UTF-16 little endian with a mark', Buffer.from('\ufeffname', 'utf16le'), 'utf-16le', 'bom'],
    ['UTF-16 big endian with a mark', Buffer.from('\ufeffname', 'utf16le').swap16(), 'utf-16be', 'bom'],
    ['UTF-16 without a mark', Buffer.from('name,email', 'utf16le'), 'utf-16le', 'pattern'],
    [
      'UTF-16 big endian without a mark',
      Buffer.from('name,email', 'utf16le').swap16(),
      'utf-16be',
      'pattern',
    ],
    ['plain ASCII', Buffer.from('name,email'), 'utf-8', 'content'],
    ['UTF-8', Buffer.from('Jürgen,Ольга,名前'), 'utf-8', 'content'],
    ['windows-1252', latin1('J\xfcrgen \x80 5'), 'windows-1252', 'statistics'],
    ['nothing at all', Buffer.alloc(0), 'utf-8', 'content'],
  ])('%s', (_, bytes, label, source) => expect(decide(bytes)).resolves.toMatchObject({ label, source }));

  it('is the named one when the bytes are not UTF-8', async () => {
    await expect(decide(Buffer.from([0x8b, 0xd3]), 'shift_jis')).resolves.toMatchObject({
      label: 'shift_jis',
      source: 'hint',
    });
    await expect(decide(Buffer.from('Jürgen'), 'latin1')).resolves.toMatchObject({
      label: 'utf-8',
      source: 'content',
    });
  });

  it('is the named one when the bytes are those of UTF-8 and of an encoding with escapes', async () => {
    // 名前 in ISO-2022-JP (RFC 1468).
    const bytes = Buffer.from('name\r\n\x1b$BL>A0\x1b(B\r\n');
    await expect(decide(bytes, 'iso-2022-jp')).resolves.toMatchObject({
      label: 'iso-2022-jp',
      source: 'hint',
    });
    await expect(decide(bytes)).resolves.toMatchObject({ label: 'utf-8', source: 'content' });
    const both = Buffer.concat([bytes, Buffer.from('Jürgen')]);
    await expect(decide(both, 'iso-2022-jp')).resolves.toMatchObject({ label: 'utf-8', source: 'content' });
  });

  it('stays UTF-8 for one broken byte among many good characters', async () => {
    const bytes = Buffer.concat([Buffer.from('Jürgen\n'.repeat(50)), Buffer.from([0xff])]);
    await expect(decide(bytes)).resolves.toMatchObject({ label: 'utf-8', source: 'mostly' });
  });

  it.each([1, 2, 3, 5, 7])('sees the same in chunks of %i bytes', (chunk) => {
    const bytes = Buffer.concat([Buffer.from('Jürgen 名前 😀'), Buffer.from([0xe2, 0x82]), Buffer.from('x')]);
    const { broken, multibyte } = evidence(bytes);
    expect(evidence(bytes, chunk)).toMatchObject({ broken, multibyte });
    expect(broken).toBeGreaterThan(0);
  });

  it.each([
    ['an xlsx', Buffer.from('504b030414000600', 'hex')],
    ['an xls', Buffer.from('d0cf11e0a1b11ae1', 'hex')],
    ['a gzip', Buffer.from('1f8b08', 'hex')],
    ['a PDF', Buffer.from('%PDF-1.7')],
    ['a vCard', Buffer.from('BEGIN:VCARD\r\nVERSION:3.0\r\nN:Doe;Jane\r\n')],
    ['a vCard with a mark', Buffer.from('\ufeffBEGIN:VCARD\r\n')],
    ['zero bytes', Buffer.from('name\0\0\0,email')],
  ])('refuses %s', (_, bytes) => expect(decide(bytes)).rejects.toThrow(FileIsNotText));

  it.each([
    ['UTF-8', Buffer.from('BEGIN:VCARD\r\nVERSION:3.0\r\n')],
    ['UTF-16 little endian with a mark', Buffer.from('\ufeffBEGIN:VCARD\r\n', 'utf16le')],
    ['UTF-16 big endian with a mark', Buffer.from('\ufeffBEGIN:VCARD\r\n', 'utf16le').swap16()],
    ['UTF-16 without a mark', Buffer.from('\r\nbegin:vcard\r\nVERSION:3.0\r\n', 'utf16le')],
    ['UTF-16 big endian without a mark', Buffer.from('BEGIN:VCARD\r\n', 'utf16le').swap16()],
  ])('calls a vCard in %s a vCard', (_, bytes) => expect(decide(bytes)).rejects.toThrow('is a vCard'));

  it('refuses a name that no encoding has', async () => {
    await expect(decide(latin1('\xfc'), 'klingon')).rejects.toThrow('“klingon” is not a known encoding');
  });
});

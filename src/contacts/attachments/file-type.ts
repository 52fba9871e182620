/** Bytes at the start of a file that determine its type. */
export const HEAD_BYTES = 4_100;

const BINARY = 'application/octet-stream';
const TEXT = 'text/plain';

/** Offset and expected bytes; text is compared byte by byte as Latin-1. */
type Magic = readonly [offset: number, bytes: string];

const SIGNATURES: readonly (readonly [type: string, ...marks: Magic[]])[] = [
  ['image/png', [0, '\x89PNG\r\n\x1a\n']],
  ['image/jpeg', [0, '\xff\xd8\xff']],
  ['image/gif', [0, 'GIF87a']],
  ['image/gif', [0, 'GIF89a']],
  ['image/webp', [0, 'RIFF'], [8, 'WEBP']],
  ['image/tiff', [0, 'II*\0']],
  ['image/tiff', [0, 'MM\0*']],
  ['image/bmp', [0, 'BM'], [6, '\0\0\0\0']],
  ['image/heic', [4, 'ftyphei']],
  ['image/heic', [4, 'ftypmif1']],
  ['image/avif', [4, 'ftypavif']],
  ['video/quicktime', [4, 'ftypqt']],
  ['audio/mp4', [4, 'ftypM4A']],
  ['video/mp4', [4, 'ftyp']],
  ['video/webm', [0, '\x1a\x45\xdf\xa3']],
  ['audio/wav', [0, 'RIFF'], [8, 'WAVE']],
  ['audio/mpeg', [0, 'ID3']],
  ['audio/ogg', [0, 'OggS']],
  ['audio/flac', [0, 'fLaC']],
  ['application/pdf', [0, '%PDF-']],
  ['application/rtf', [0, '{\\rtf']],
  ['application/gzip', [0, '\x1f\x8b']],
  ['application/x-7z-compressed', [0, '7z\xbc\xaf\x27\x1c']],
  ['application/vnd.rar', [0, 'Rar!\x1a\x07']],
  // Word, Excel and Outlook before 2007; which of them is stored further on.
  ['application/x-ole-storage', [0, '\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1']],
  ['application/zip', [0, 'PK\x03\x04']],
  ['application/zip', [0, 'PK\x05\x06']],
];

const OFFICE = 'application/vnd.openxmlformats-officedocument';
const OFFICE_FOLDERS: readonly (readonly [folder: string, type: string])[] = [
  ['word/', `${OFFICE}.wordprocessingml.document`],
  ['xl/', `${OFFICE}.spreadsheetml.sheet`],
  ['ppt/', `${OFFICE}.presentationml.presentation`],
];
/** The first entry of OpenDocument and EPUB, stored uncompressed (OpenDocument 1.3, part 2, 3.3). */
const MIMETYPE_ENTRY = /^mimetype(application\/(?:vnd\.oasis\.opendocument\.[a-z-]+|epub\+zip))PK/;
const NAME_OF_FIRST_ENTRY = 30;

/**
 * The type of a file by its first bytes; never by its name or what the client sends. All text is `text/plain`, HTML and
 * SVG too, because a browser would run them.
 * @param head the first `HEAD_BYTES`, or the whole file when it is shorter.
 */
export function typeOfFile(head: Uint8Array): string {
  const latin1 = Buffer.from(head).toString('latin1');
  const found = SIGNATURES.find(([, ...marks]) =>
    marks.every(([offset, bytes]) => latin1.startsWith(bytes, offset)),
  );
  if (!found) return isText(head) ? TEXT : BINARY;
  return found[0] === 'application/zip' ? typeOfZip(latin1) : found[0];
}

function typeOfZip(latin1: string): string {
  const [, named] = MIMETYPE_ENTRY.exec(latin1.slice(NAME_OF_FIRST_ENTRY)) ?? [];
  if (named) return named;
  const isOffice = latin1.includes('[Content_Types].xml') || latin1.includes('_rels/.rels');
  const office = OFFICE_FOLDERS.find(([folder]) => isOffice && latin1.includes(folder));
  return office?.[1] ?? 'application/zip';
}

/** UTF-8 without control characters except tab, line feed, form feed, carriage return and escape. */
function isText(head: Uint8Array): boolean {
  if (head.some((byte) => (byte < 0x20 && ![9, 10, 12, 13, 27].includes(byte)) || byte === 0x7f))
    return false;
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(head, { stream: true });
    return true;
  } catch {
    return false;
  }
}

/** The limit of common file systems. */
const MAX_BYTES = 255;
/** A longer extension is treated as part of the name. */
const MAX_EXTENSION_BYTES = 20;
const DEFAULT_NAME = 'file';

/** Controls, line and paragraph separators, direction marks (UAX 9) by which `gpj.exe` is shown as `exe.jpg`, BOM. */
const INVISIBLE =
  /[\p{Cc}\p{Zl}\p{Zp}\u061c\u200b\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff\ufffe\uffff]/gu;

/**
 * A file name that is safe to store and to send: no folders, no invisible characters, at most 255 bytes of UTF-8 including
 * the extension. Never empty, `.` or `..`.
 */
export function cleanFileName(given: string): string {
  const name = (given.toWellFormed().normalize('NFC').split(/[/\\]/).at(-1) ?? '').replace(INVISIBLE, '');
  const tidy = shortened(name.replace(/\s+/g, ' ').trim()).replace(/[. ]+$/, '');
  return tidy === '' ? DEFAULT_NAME : tidy;
}

function shortened(name: string): string {
  if (Buffer.byteLength(name) <= MAX_BYTES) return name;
  const dot = name.lastIndexOf('.');
  const extension =
    dot > 0 && Buffer.byteLength(name.slice(dot)) <= MAX_EXTENSION_BYTES ? name.slice(dot) : '';
  const stem = extension ? name.slice(0, dot) : name;
  return firstBytes(stem, MAX_BYTES - Buffer.byteLength(extension)).trimEnd() + extension;
}

/** Never cuts within a character. */
function firstBytes(text: string, bytes: number): string {
  return new TextDecoder('utf-8', { ignoreBOM: true })
    .decode(Buffer.from(text).subarray(0, bytes), { stream: true })
    .toString();
}

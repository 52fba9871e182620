/** A leaf of a message. Bytes are one character each. */
export interface MimePart {
  readonly type: string;
  readonly charset: string;
  readonly fileName: string | null;
  readonly body: string;
}

const MAX_DEPTH = 8;

/** Header lines as pairs, unfolded, in their order. */
export function headersOf(raw: string): readonly (readonly [name: string, value: string])[] {
  const head = raw.slice(0, endOfHead(raw)).replace(/\r?\n[ \t]+/g, ' ');
  return head.split(/\r?\n/).flatMap((line) => {
    const colon = line.indexOf(':');
    return colon > 0 ? [[line.slice(0, colon), decodeWords(line.slice(colon + 1).trim())] as const] : [];
  });
}

export const headerOf = (raw: string, name: string): string =>
  headersOf(raw).find(([other]) => other.toLowerCase() === name)?.[1] ?? '';

/** The leaves of a message in their order (RFC 2046). */
export function partsOf(raw: string, depth = 0): MimePart[] {
  const contentType = headerOf(raw, 'content-type') || 'text/plain';
  const body = raw.slice(endOfHead(raw)).replace(/^\r?\n\r?\n/, '');
  const boundary = parameter(contentType, 'boundary');
  if (/^multipart\//i.test(contentType) && boundary && depth < MAX_DEPTH)
    return sections(body, boundary).flatMap((section) => partsOf(section, depth + 1));
  const type = contentType.split(';', 1)[0]?.trim().toLowerCase() ?? '';
  const disposition = headerOf(raw, 'content-disposition');
  const fileName = parameter(disposition, 'filename') ?? parameter(contentType, 'name');
  const decoded = decodeBody(body, headerOf(raw, 'content-transfer-encoding').toLowerCase());
  return [{ type, charset: parameter(contentType, 'charset') ?? 'utf-8', fileName, body: decoded }];
}

/** The text of a part in its character set; of an unknown one, as UTF-8. */
export function textOf({ body, charset }: MimePart): string {
  return decodeBytes(Buffer.from(body, 'latin1'), charset);
}

function sections(body: string, boundary: string): string[] {
  const [, ...rest] = `\r\n${body}`.split(`\n--${boundary}`);
  return rest
    .filter((section) => !section.startsWith('--'))
    .map((section) => section.replace(/^[ \t]*\r?\n/, '').replace(/\r$/, ''));
}

function endOfHead(raw: string): number {
  const end = raw.search(/\r?\n\r?\n/);
  return end < 0 ? raw.length : end;
}

function parameter(header: string, name: string): string | null {
  const match = new RegExp(`;\\s*${name}\\s*=\\s*(?:"((?:[^"\\\\]|\\\\.)*)"|([^;\\s]+))`, 'i').exec(header);
  return match ? (match[1]?.replace(/\\(.)/g, '$1') ?? match[2] ?? null) : null;
}

function decodeBody(body: string, encoding: string): string {
  if (encoding === 'base64') return Buffer.from(body, 'base64').toString('latin1');
  if (encoding === 'quoted-printable') return decodeQuoted(body.replace(/[ \t]*=\r?\n/g, ''));
  return body;
}

const decodeQuoted = (text: string): string =>
  text.replace(/=([0-9A-F]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));

/** Encoded words (RFC 2047), and UTF-8 as it is (RFC 6532). */
function decodeWords(value: string): string {
  return decodeBytes(Buffer.from(value, 'latin1'), 'utf-8')
    .replace(/(\?=)\s+(?==\?)/g, '$1')
    .replace(/=\?([\w-]+)\?([BQ])\?([^?]*)\?=/gi, (_, charset: string, kind: string, text: string) => {
      const isBase64 = kind.toUpperCase() === 'B';
      const bytes = isBase64 ? text : decodeQuoted(text.replaceAll('_', ' '));
      return decodeBytes(Buffer.from(bytes, isBase64 ? 'base64' : 'latin1'), charset);
    });
}

function decodeBytes(bytes: Buffer, charset: string): string {
  try {
    return new TextDecoder(charset).decode(bytes);
  } catch {
    return bytes.toString('utf8');
  }
}

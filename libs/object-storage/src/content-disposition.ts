/**
 * `Content-Disposition` for saving under this name (RFC 6266): ASCII for old clients, RFC 5987 for all others. Never
 * `inline`: uploaded files must not run under the origin that serves them.
 *
 * @param name well-formed Unicode
 */
export function contentDisposition(name: string): string {
  const ascii = name
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .replace(/[^\x20-\x7e]|["\\%]/gu, '_');
  const encoded = encodeURIComponent(name).replace(/['()*]/g, escaped);
  return `attachment; filename="${ascii}"; filename*=UTF-8''${encoded}`;
}

/** RFC 5987 allows fewer unescaped characters than URLs do. */
const escaped = (character: string) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`;

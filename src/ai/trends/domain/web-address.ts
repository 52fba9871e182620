const MAX_LENGTH = 2_048;

/** An absolute http or https address without credentials; null for anything else. @param base of a relative address */
export function webAddress(text: unknown, base?: string): string | null {
  if (typeof text !== 'string' || text.length > MAX_LENGTH) return null;
  const url = URL.parse(text.trim(), base);
  if (text.trim() === '' || url === null || !/^https?:$/.test(url.protocol)) return null;
  if (url.username !== '' || url.password !== '' || url.href.length > MAX_LENGTH) return null;
  return url.href;
}

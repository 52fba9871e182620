export const MEDIA_TYPES = [
  'image/jpeg',
  'image/png',
  'image/webp',
  'image/gif',
  'image/avif',
  'video/mp4',
  'video/quicktime',
  'video/webm',
  'video/x-matroska',
] as const;

/** Other names of these types: of browsers, of operating systems, and of `file-type`. */
const ALIASES: Readonly<Record<string, string>> = {
  'image/jpg': 'image/jpeg',
  'image/pjpeg': 'image/jpeg',
  'image/x-png': 'image/png',
  'video/x-m4v': 'video/mp4',
  'video/m4v': 'video/mp4',
  'video/3gpp': 'video/mp4',
  'video/3gpp2': 'video/mp4',
  'video/mov': 'video/quicktime',
  'video/x-quicktime': 'video/quicktime',
  'video/matroska': 'video/x-matroska',
  'video/mkv': 'video/x-matroska',
};

/** The name that the library uses for a type, in lower case; another type stays as it is. */
export function canonicalType(contentType: string): string {
  const name = contentType.toLowerCase();
  return Object.hasOwn(ALIASES, name) ? (ALIASES[name] as string) : name;
}

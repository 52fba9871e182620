const UUID = '[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}';

/** By the extension of the key. Every object is one that this product wrote, never an original of a user. */
const TYPES: Readonly<Record<string, string>> = {
  gif: 'image/gif',
  jpg: 'image/jpeg',
  mp4: 'video/mp4',
  png: 'image/png',
  webp: 'image/webp',
};

const KEY = new RegExp(
  `^media/${UUID}/(?:(?:thumbnail|preview)(?:-${UUID})?|renditions/${UUID})\\.(${Object.keys(TYPES).join('|')})$`,
);

/** Whether the media host serves the object: thumbnails, previews and renditions, never originals. */
export const isServed = (key: string): boolean => KEY.test(key);

/** @param key of a served object */
export const typeOf = (key: string): string => TYPES[KEY.exec(key)?.[1] ?? ''] ?? 'application/octet-stream';

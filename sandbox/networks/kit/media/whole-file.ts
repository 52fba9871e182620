import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';
import { MediaIsRefused } from './media-content.js';

/** @throws MediaIsRefused when the file is empty or has more bytes */
export async function within(path: string, maxBytes: number): Promise<void> {
  const { size } = await stat(path);
  if (size > maxBytes) throw new MediaIsRefused('bytes');
  if (size === 0) throw new MediaIsRefused('unreadable');
}

export async function hashed(path: string): Promise<{ bytes: number; sha256: string }> {
  const { size } = await stat(path);
  const hash = createHash('sha256');
  await pipeline(createReadStream(path), hash);
  return { bytes: size, sha256: hash.digest('hex') };
}

import type { RangedSource } from '../domain/render.types.js';

/** The whole source, of which images have at most 64 MiB. Without a copy. */
export async function readAll(source: RangedSource): Promise<Buffer> {
  const { buffer, byteOffset, byteLength } = await source.read(0, source.bytes);
  return Buffer.from(buffer, byteOffset, byteLength);
}

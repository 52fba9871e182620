import { createHash } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { AnimationFormat, ImageFormat } from '#libs/content';
import { readBuffer } from '../../isolation/read-ahead.js';
import type { RangedSource } from '../../domain/ranged-source.js';
import type { Size } from '../domain/fit.js';
import type { RenderedFile } from '../domain/render.types.js';

/** The whole source, of which images have at most 64 MiB. Without a copy. */
export const readAll = (source: RangedSource): Promise<Buffer> => readBuffer(source, 0, source.bytes);

interface Rendered extends Size {
  readonly format: ImageFormat | AnimationFormat;
  readonly durationMs: number | null;
}

export async function save(
  data: Buffer,
  { format, width, height, durationMs }: Rendered,
  folder: string,
): Promise<RenderedFile> {
  const path = join(folder, `rendition.${format === 'jpeg' ? 'jpg' : format}`);
  await writeFile(path, data);
  const sha256 = createHash('sha256').update(data).digest('hex');
  const file = { path, contentType: `image/${format}`, bytes: data.length, sha256 };
  return { kind: 'rendered', ...file, width, height, durationMs };
}

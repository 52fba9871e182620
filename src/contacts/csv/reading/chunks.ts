import type { FileHandle } from 'node:fs/promises';
import { open } from 'node:fs/promises';

/** A file on disk, by its name or open: what has no name any more can be read as often as it is asked for, too. */
export type FileOnDisk = string | FileHandle;

/** The bytes from the beginning to the end, `size` at a time. A handle stays open. */
export async function* chunksOf(file: FileOnDisk, size: number): AsyncGenerator<Buffer> {
  const handle = typeof file === 'string' ? await open(file) : file;
  try {
    for (let at = 0; ;) {
      const { bytesRead, buffer } = await handle.read(Buffer.allocUnsafe(size), 0, size, at);
      if (bytesRead === 0) return;
      yield buffer.subarray(0, bytesRead);
      at += bytesRead;
    }
  } finally {
    if (handle !== file) await handle.close();
  }
}

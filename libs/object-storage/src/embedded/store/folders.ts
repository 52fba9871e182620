import { createHash, randomUUID } from 'node:crypto';
import { mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { ignoreMissing } from './object-file.js';

const MODE = 0o700;
/** No name of a bucket is that short, so it stands in the way of no folder of the former server. */
const LAYOUT = 'v1';

/**
 * Where a bucket keeps its files. An object lies under the SHA-256 of its key, so no key leaves the folder, is too long for
 * the file system or collides with another one where names ignore case. These folders are made at the start and never
 * removed: a delete cannot take away the folder of an upload.
 */
export class BucketFolders {
  readonly uploads: string;
  private readonly objects: string;
  private readonly temporary: string;

  constructor(directory: string, bucket: string) {
    const root = join(directory, LAYOUT, bucket);
    this.objects = join(root, 'objects');
    this.uploads = join(root, 'uploads');
    this.temporary = join(root, 'tmp');
  }

  /** Makes the folders and removes what a killed process left half-written. */
  async prepare(): Promise<void> {
    await rm(this.temporary, { recursive: true, force: true });
    await mkdir(this.temporary, { recursive: true, mode: MODE });
    await mkdir(this.uploads, { recursive: true, mode: MODE });
    await mkdir(this.objects, { recursive: true, mode: MODE });
    await syncFolder(dirname(this.objects));
  }

  object(key: string): string {
    return join(this.objects, createHash('sha256').update(key).digest('hex'));
  }

  /** A path that nothing has, for a file or folder that is renamed into place or removed. */
  temporaryPath(): string {
    return join(this.temporary, randomUUID());
  }

  /** Every object, in no order. */
  async objectPaths(): Promise<string[]> {
    return (await readdir(this.objects)).map((name) => join(this.objects, name));
  }

  /** Takes a folder away at once, and what is in it after that. @returns false when it was not there */
  async removeFolder(path: string): Promise<boolean> {
    const aside = this.temporaryPath();
    const isThere = await rename(path, aside).then(() => true, ignoreMissing);
    if (isThere) await rm(aside, { recursive: true, force: true });
    return isThere === true;
  }
}

/** Makes renames and removals in a folder last. Windows cannot open folders and orders them by itself. */
export async function syncFolder(path: string): Promise<void> {
  if (process.platform === 'win32') return;
  const folder = await open(path, 'r');
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}

export const isFolder = (path: string): Promise<boolean> =>
  stat(path).then(
    (found) => found.isDirectory(),
    (error: NodeJS.ErrnoException) => ignoreMissing(error) !== null,
  );

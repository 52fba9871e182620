import { createHash, randomUUID } from 'node:crypto';
import { mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { ignoreMissing } from './object-file.js';

const MODE = 0o700;
/** The layout of the folders. Shorter than any bucket name, so it collides with none. */
const LAYOUT = 'v1';

/**
 * The folders of a bucket. An object's path is the SHA-256 of its key, so that no key leaves the folder, is too long for the
 * file system or collides with another one where names ignore case. These folders are created at the start and never
 * removed: a delete cannot remove the folder of an upload.
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

  /** An unused path for a file or folder before it is renamed into place, or before its removal. */
  temporaryPath(): string {
    return join(this.temporary, randomUUID());
  }

  async objectPaths(): Promise<string[]> {
    return (await readdir(this.objects)).map((name) => join(this.objects, name));
  }

  /** Renames a folder, then removes it with its content. @returns false when it did not exist */
  async removeFolder(path: string): Promise<boolean> {
    const aside = this.temporaryPath();
    const isThere = await rename(path, aside).then(() => true, ignoreMissing);
    if (isThere) await rm(aside, { recursive: true, force: true });
    return isThere === true;
  }
}

/** Makes renames and removals in a folder durable. Windows cannot open folders and needs no sync. */
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

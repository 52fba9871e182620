import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { readdir, readFile, stat } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';
import type { BucketFolders } from './folders.js';
import { isFolder } from './folders.js';
import { ignoreMissing } from './object-file.js';
import type { ObjectStore } from './object-store.js';

const OBJECT = '._S3rver_object';
const METADATA = '._S3rver_metadata.json';
const UPLOADS = '._S3rver_uploads';

/**
 * * Migrates the files of the former embedded server (package s3rver, until November 2026): `bucket/key._S3rver_object`, with
 * headers in `key._S3rver_metadata.json`. The folder is removed when every object has been stored; the next start repeats an
 * interrupted migration. Unfinished multipart uploads are dropped: they could not be listed or completed.
 */
export async function takeOverFormerBucket(
  directory: string,
  bucket: string,
  folders: BucketFolders,
  objects: ObjectStore,
): Promise<void> {
  const former = join(directory, bucket);
  if (!(await isFolder(former))) return;
  const entries = await readdir(former, { recursive: true, withFileTypes: true });
  const files = entries
    .filter((entry) => entry.isFile() && entry.name.endsWith(OBJECT))
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((path) => !relative(former, path).split(sep).includes(UPLOADS));
  for (const path of files) {
    const key = relative(former, path).slice(0, -OBJECT.length).split(sep).join('/');
    if (!(await objects.find(key))) await takeOver(path, key, objects);
  }
  await folders.removeFolder(former);
}

async function takeOver(path: string, key: string, objects: ObjectStore): Promise<void> {
  const file = await objects.create();
  try {
    const md5 = createHash('md5');
    for await (const piece of createReadStream(path)) {
      md5.update(piece as Buffer);
      await file.write(piece as Buffer);
    }
    const modifiedAt = (await stat(path)).mtime.toISOString();
    const headers = await headersOf(path);
    await objects.store(file, { key, etag: md5.digest('hex'), modifiedAt, headers, checksum: null }, null);
  } finally {
    await file.discard();
  }
}

/** An interrupted upload has none. */
async function headersOf(path: string): Promise<Record<string, string>> {
  const text = await readFile(path.slice(0, -OBJECT.length) + METADATA, 'utf8').catch(ignoreMissing);
  const { 'x-amz-storage-class': _, ...headers } = JSON.parse(text ?? '{}') as Record<string, string>;
  return { 'content-type': 'binary/octet-stream', ...headers };
}

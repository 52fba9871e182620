import { createHash } from 'node:crypto';
import { type Checksum, hasherFor } from '../body/checksums.js';
import { type NewObjectFile, type ObjectFacts, openObjectFile } from '../store/object-file.js';
import type { StoredPart, Upload } from '../store/upload-store.js';

/** The facts of the assembled object. Its ETag is the MD5 of the parts' MD5s, followed by their number. */
export function factsOfUpload(upload: Upload, parts: readonly StoredPart[], modifiedAt: string): ObjectFacts {
  const md5s = Buffer.concat(parts.map(({ facts }) => Buffer.from(facts.etag, 'hex')));
  const etag = `${createHash('md5').update(md5s).digest('hex')}-${parts.length}`;
  const { key, headers, id: uploadId } = upload;
  return { key, etag, modifiedAt, headers, uploadId, checksum: null };
}

/** Copies the bytes of the parts into the object. @returns its checksum, null when the upload asked for none */
export async function assemble(
  { checksumAlgorithm, checksumType }: Upload,
  parts: readonly StoredPart[],
  object: NewObjectFile,
): Promise<Checksum | null> {
  const hasher = checksumAlgorithm === null ? null : hasherFor(checksumAlgorithm);
  const isFull = checksumType === 'FULL_OBJECT';
  for (const { path, facts } of parts) {
    await copyBytes(path, async (piece) => {
      if (isFull) hasher?.update(piece);
      await object.write(piece);
    });
    if (!isFull) hasher?.update(Buffer.from(facts.checksum?.value ?? '', 'base64'));
  }
  if (checksumAlgorithm === null || hasher === null) return null;
  const value = hasher.digest().toString('base64');
  return { algorithm: checksumAlgorithm, value: isFull ? value : `${value}-${parts.length}` };
}

async function copyBytes(path: string, keep: (piece: Buffer) => Promise<void>): Promise<void> {
  const part = await openObjectFile(path);
  if (!part) throw new Error(`${path} disappeared while its upload was completed.`);
  try {
    if (part.size === 0) return;
    const bytes = part.file.createReadStream({ start: 0, end: part.size - 1, autoClose: false });
    for await (const piece of bytes) await keep(piece as Buffer);
  } finally {
    await part.file.close();
  }
}

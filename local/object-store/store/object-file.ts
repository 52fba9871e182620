import { type FileHandle, open, unlink } from 'node:fs/promises';
import type { Checksum } from '../body/checksums.js';

export interface ObjectFacts {
  readonly key: string;
  /** Without quotes. */
  readonly etag: string;
  /** RFC 3339, UTC. */
  readonly modifiedAt: string;
  /** Names in lower case: content-type and the like, x-amz-meta-…; returned unchanged. */
  readonly headers: Readonly<Record<string, string>>;
  readonly checksum: Checksum | null;
  /** The multipart upload that created it. */
  readonly uploadId?: string;
}

/**
 * An object is one file: its bytes, the facts as JSON, the length of the JSON (4 bytes), and this mark. Bytes and facts
 * therefore change together, with one rename.
 */
const MARK = Buffer.from('S3OBJ\0\0\u0001', 'latin1');
const FOOTER_BYTES = 4 + MARK.length;

/** A file that becomes an object or a part when it is complete. */
export class NewObjectFile {
  private isDiscarded = false;
  size = 0;

  private constructor(
    readonly path: string,
    private readonly file: FileHandle,
  ) {}

  static async create(path: string): Promise<NewObjectFile> {
    return new NewObjectFile(path, await open(path, 'wx', 0o600));
  }

  async write(chunk: Buffer): Promise<void> {
    this.size += chunk.length;
    await this.file.writeFile(chunk);
  }

  /** Everything is synced to disk after this. */
  async finish(facts: ObjectFacts): Promise<void> {
    const json = Buffer.from(JSON.stringify(facts));
    const length = Buffer.alloc(4);
    length.writeUInt32BE(json.length);
    await this.file.writeFile(Buffer.concat([json, length, MARK]));
    await this.file.sync();
    await this.file.close();
  }

  /** Does nothing after a rename. */
  async discard(): Promise<void> {
    if (this.isDiscarded) return;
    this.isDiscarded = true;
    await this.file.close().catch(() => undefined);
    await unlink(this.path).catch(ignoreMissing);
  }
}

/** An open object. Its bytes stay readable when it is replaced or deleted. */
export interface OpenObject {
  readonly facts: ObjectFacts;
  /** Bytes. */
  readonly size: number;
  /** The caller must close it. */
  readonly file: FileHandle;
}

/** @returns null when there is no such file. @throws Error when the file is damaged */
export async function openObjectFile(path: string): Promise<OpenObject | null> {
  const file = await open(path, 'r').catch(ignoreMissing);
  if (!file) return null;
  try {
    return await readFacts(file, path);
  } catch (error) {
    await file.close();
    throw error;
  }
}

export async function readObjectFile(path: string): Promise<Omit<OpenObject, 'file'> | null> {
  const object = await openObjectFile(path);
  await object?.file.close();
  return object;
}

async function readFacts(file: FileHandle, path: string): Promise<OpenObject> {
  const { size: total } = await file.stat();
  const footer = await readAt(file, total - FOOTER_BYTES, FOOTER_BYTES);
  const length = footer.length === FOOTER_BYTES ? footer.readUInt32BE() : 0;
  const size = total - FOOTER_BYTES - length;
  if (length === 0 || size < 0 || !footer.subarray(4).equals(MARK))
    throw new Error(
      `${path} is damaged: it does not end as an object does. Delete it, or restore it from a copy.`,
    );
  const json = await readAt(file, size, length);
  return { facts: JSON.parse(json.toString('utf8')) as ObjectFacts, size, file };
}

async function readAt(file: FileHandle, position: number, length: number): Promise<Buffer> {
  if (position < 0) return Buffer.alloc(0);
  const { buffer, bytesRead } = await file.read(Buffer.alloc(length), 0, length, position);
  return buffer.subarray(0, bytesRead);
}

export function ignoreMissing(error: NodeJS.ErrnoException): null {
  if (error.code !== 'ENOENT') throw error;
  return null;
}

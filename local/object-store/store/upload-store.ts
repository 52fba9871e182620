import { randomUUID } from 'node:crypto';
import { mkdir, open, readdir, readFile, rename } from 'node:fs/promises';
import { join } from 'node:path';
import { KeyedMutex } from '#libs/concurrency';
import { S3Error } from '../wire/s3-error.js';
import { type BucketFolders, syncFolder } from './folders.js';
import { ignoreMissing, type NewObjectFile, type ObjectFacts, readObjectFile } from './object-file.js';

export interface Upload {
  readonly id: string;
  readonly key: string;
  /** RFC 3339, UTC. */
  readonly initiatedAt: string;
  /** Of the object to be. */
  readonly headers: Readonly<Record<string, string>>;
  /** Every part must carry a checksum of it; null when parts need none. */
  readonly checksumAlgorithm: string | null;
}

export interface StoredPart {
  readonly number: number;
  readonly path: string;
  readonly size: number;
  readonly facts: ObjectFacts;
}

const FACTS = 'upload.json';
const ID = /^[0-9a-f-]{36}$/;
const partName = (number: number) => `part-${String(number).padStart(5, '0')}`;

/** Unfinished multipart uploads. Each has a folder with its facts and one object file per part, so that it survives a restart. */
export class UploadStore {
  private readonly mutex = new KeyedMutex();

  constructor(private readonly folders: BucketFolders) {}

  async create(upload: Omit<Upload, 'id'>): Promise<Upload> {
    const created = { ...upload, id: randomUUID() };
    const folder = this.folders.temporaryPath();
    await mkdir(folder, { mode: 0o700 });
    const file = await open(join(folder, FACTS), 'wx', 0o600);
    try {
      await file.writeFile(JSON.stringify(created));
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(folder, this.folderOf(created.id));
    await syncFolder(this.folders.uploads);
    return created;
  }

  /** @throws S3Error NoSuchUpload when there is no such upload of this key */
  async get(key: string, id: string): Promise<Upload> {
    const upload = ID.test(id) ? await this.read(id) : null;
    if (upload?.key !== key) throw new S3Error('NoSuchUpload');
    return upload;
  }

  /** Runs completing, aborting and adding parts of one upload one after the other. */
  inTurn<T>(id: string, work: () => Promise<T>): Promise<T> {
    return this.mutex.runExclusive(id, work);
  }

  /** Replaces a part of the same number. @throws S3Error NoSuchUpload when it was completed or aborted meanwhile */
  async storePart(id: string, number: number, file: NewObjectFile, facts: ObjectFacts): Promise<void> {
    await file.finish(facts);
    const folder = this.folderOf(id);
    await this.inTurn(id, async () => {
      const stored = await rename(file.path, join(folder, partName(number))).then(() => true, ignoreMissing);
      if (!stored) throw new S3Error('NoSuchUpload');
      await syncFolder(folder);
    });
  }

  /** In the order of their numbers. Opens one file at a time: there may be 10 000. */
  async parts(id: string): Promise<StoredPart[]> {
    const folder = this.folderOf(id);
    const names = (await readdir(folder).catch(ignoreMissing)) ?? [];
    const parts: StoredPart[] = [];
    for (const name of names.filter((each) => each !== FACTS).sort()) {
      const path = join(folder, name);
      const part = await readObjectFile(path);
      if (part) parts.push({ number: Number(name.slice(-5)), path, size: part.size, facts: part.facts });
    }
    return parts;
  }

  /** In no order. Opens one file at a time. */
  async list(): Promise<Upload[]> {
    const uploads: Upload[] = [];
    for (const id of await readdir(this.folders.uploads)) {
      const upload = await this.read(id);
      if (upload) uploads.push(upload);
    }
    return uploads;
  }

  /** With all its parts. @returns false when it was not there */
  async remove(id: string): Promise<boolean> {
    const wasThere = await this.folders.removeFolder(this.folderOf(id));
    await syncFolder(this.folders.uploads);
    return wasThere;
  }

  private async read(id: string): Promise<Upload | null> {
    const text = await readFile(join(this.folderOf(id), FACTS), 'utf8').catch(ignoreMissing);
    return text === null ? null : (JSON.parse(text) as Upload);
  }

  private folderOf(id: string): string {
    return join(this.folders.uploads, id);
  }
}

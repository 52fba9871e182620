import { rename, unlink } from 'node:fs/promises';
import { dirname } from 'node:path';
import { KeyedMutex } from '#libs/concurrency';
import { type BucketFolders, syncFolder } from './folders.js';
import {
  ignoreMissing,
  NewObjectFile,
  type ObjectFacts,
  type OpenObject,
  openObjectFile,
  readObjectFile,
} from './object-file.js';

export type StoredFacts = Pick<OpenObject, 'facts' | 'size'>;

/** Throws to refuse a change of the current object; null for no condition. */
export type Guard = ((current: ObjectFacts | null) => void) | null;

/** The objects of one bucket, one file each. One process at a time may use a folder. */
export class ObjectStore {
  private readonly mutex = new KeyedMutex();

  constructor(private readonly folders: BucketFolders) {}

  /** A new object file. Always discard it; that does nothing after it is stored. */
  create(): Promise<NewObjectFile> {
    return NewObjectFile.create(this.folders.temporaryPath());
  }

  /** Replaces the object of the key atomically and durably. @throws the error of the guard */
  async store(file: NewObjectFile, facts: ObjectFacts, guard: Guard): Promise<void> {
    await file.finish(facts);
    const { key } = facts;
    const path = this.folders.object(key);
    await this.mutex.runExclusive(path, async () => {
      await this.check(key, guard);
      await rename(file.path, path);
      await syncFolder(dirname(path));
    });
  }

  /** Does nothing when there is no such object. @throws the error of the guard */
  async delete(key: string, guard: Guard): Promise<void> {
    const path = this.folders.object(key);
    await this.mutex.runExclusive(path, async () => {
      await this.check(key, guard);
      await unlink(path).catch(ignoreMissing);
      await syncFolder(dirname(path));
    });
  }

  async check(key: string, guard: Guard): Promise<void> {
    if (guard) guard(await this.find(key));
  }

  open(key: string): Promise<OpenObject | null> {
    return openObjectFile(this.folders.object(key));
  }

  async find(key: string): Promise<ObjectFacts | null> {
    return (await readObjectFile(this.folders.object(key)))?.facts ?? null;
  }

  /** Sorted by the bytes of the key, as in S3. Reads the end of every file. */
  async list(prefix: string): Promise<StoredFacts[]> {
    const found: StoredFacts[] = [];
    for (const path of await this.folders.objectPaths()) {
      const object = await readObjectFile(path);
      if (object?.facts.key.startsWith(prefix)) found.push(object);
    }
    return found.sort((a, b) => compareKeys(a.facts.key, b.facts.key));
  }
}

export const compareKeys = (a: string, b: string): number => Buffer.compare(Buffer.from(a), Buffer.from(b));

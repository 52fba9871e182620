import { createHash, randomUUIDv7 } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import sharp from 'sharp';
import type { Database } from '#libs/database';
import type { InspectedFacts } from '../../src/media/inspection/domain/inspection.types.js';
import { writeLargeVideo } from './large-video.js';
import { ObjectStore } from './object-store.js';

export const VIDEO_BYTES = 20_000_000;
const PATIENCE_MS = 300_000;

const NO_FACTS = {
  durationMs: null,
  frames: null,
  frameRate: null,
  pixelAspectRatio: null,
  isInterlaced: null,
  videoCodec: null,
  audioCodec: null,
  audioChannels: null,
  audioSampleRate: null,
  indexFirst: null,
  hasEditLists: null,
  hasCredentials: null,
  isPublishable: null,
};

/** One file of a brand, ready. */
export interface BrandFile {
  readonly id: string;
  readonly brandId: string;
  readonly facts: InspectedFacts;
}

/** An object store with a picture and a video, of which every brand has its own copies. */
export class ScaleMedia {
  private constructor(
    readonly store: ObjectStore,
    private readonly sources: Readonly<Record<'picture' | 'video', Source>>,
  ) {}

  static async start(folder: string): Promise<ScaleMedia> {
    const sources = { picture: await picture(), video: await video(folder) };
    return new ScaleMedia(await ObjectStore.start(), sources);
  }

  /** A file as the inspection leaves it. */
  async file(database: Database, brandId: string, kind: 'picture' | 'video'): Promise<BrandFile> {
    const { bytes, contentType, facts } = this.sources[kind];
    const id = randomUUIDv7();
    const key = `media/${id}/original`;
    const sha256 = createHash('sha256').update(bytes).digest('hex');
    const body = Readable.from([bytes]);
    const etag = await this.store.storage.put(key, { body, length: bytes.length, sha256, contentType });
    await database.query(
      `INSERT INTO media.file (id, brand_id, status, kind, file_name, content_type, bytes, sha256, object_key, etag,
         upload_expires_at, facts, width, height, duration_ms, tags, created_by_type, created_by)
       VALUES ($1, $2, 'ready', $3, $4, $5, $6, $7, $8, $9, now(), $10, $11, $12, $13, '{}', 'user', $14)`,
      [
        ...[id, brandId, facts.kind, kind, contentType, bytes.length, sha256, key, etag],
        ...[JSON.stringify(facts), facts.width, facts.height, facts.durationMs, randomUUIDv7()],
      ],
    );
    return { id, brandId, facts };
  }
}

interface Source {
  readonly bytes: Buffer;
  readonly contentType: string;
  readonly facts: InspectedFacts;
}

async function picture(): Promise<Source> {
  const create = { width: 1_080, height: 1_080, channels: 3, background: '#be5a28' } as const;
  const bytes = await sharp({ create }).jpeg().toBuffer();
  const facts = { ...NO_FACTS, kind: 'image', width: 1_080, height: 1_080 } as const;
  return { bytes, contentType: 'image/jpeg', facts };
}

async function video(folder: string): Promise<Source> {
  const path = join(folder, 'scale.mp4');
  const seconds = await writeLargeVideo(path, VIDEO_BYTES);
  const facts: InspectedFacts = {
    ...NO_FACTS,
    kind: 'video',
    width: 1_920,
    height: 1_080,
    durationMs: Math.round(seconds * 1_000),
    frameRate: 30,
    videoCodec: 'avc1.640028',
    audioCodec: 'mp4a.40.2',
    audioChannels: 2,
    indexFirst: false,
    hasEditLists: false,
  };
  return { bytes: await readFile(path), contentType: 'video/mp4', facts };
}

/** Resolves when the workers have made all renditions that were asked for. @throws Error when one cannot be made */
export async function renditionsMade(database: Database): Promise<void> {
  const until = Date.now() + PATIENCE_MS;
  for (;;) {
    const rows = await database.query<{ status: string; failure: unknown; count: number }>(
      'SELECT status, failure, count(*)::int AS count FROM media.rendition GROUP BY status, failure',
    );
    const failed = rows.find(({ status }) => status === 'failed');
    if (failed) throw new Error(`A rendition cannot be made: ${JSON.stringify(failed.failure)}`);
    if (rows.every(({ status }) => status === 'ready')) return;
    if (Date.now() > until) throw new Error('The renditions were not made in time.');
    await sleep(200);
  }
}

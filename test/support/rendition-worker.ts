import { Readable } from 'node:stream';
import { createHash } from 'node:crypto';
import type { CommandBus } from '@nestjs/cqrs';
import type { RenditionSpec } from '#libs/content';
import type { Database } from '#libs/database';
import { EventStore } from '#libs/event-store';
import { Metrics } from '#libs/http';
import type { ObjectStorage } from '#libs/object-storage';
import {
  type RecordInspection,
  RecordInspectionHandler,
} from '../../src/media/commands/record-inspection.js';
import { MediaProcesses } from '../../src/media/isolation/media-processes.js';
import { MediaLog } from '../../src/media/media.stream.js';
import { MediaObjects } from '../../src/media/media-objects.store.js';
import {
  PrepareRenditions,
  PrepareRenditionsHandler,
} from '../../src/media/renditions/commands/prepare-renditions.js';
import type { RenditionRow } from '../../src/media/renditions/views/rendition.view.js';
import { renditionsOfFile } from '../../src/media/renditions/queries/get-renditions.js';
import { MakeDueRenditions } from '../../src/media/renditions/worker/make-due-renditions.worker.js';
import { RenditionClaims } from '../../src/media/renditions/worker/rendition-claims.store.js';
import { RenditionMaker } from '../../src/media/renditions/worker/rendition-maker.js';
import { RenditionMetrics } from '../../src/media/renditions/worker/rendition.metrics.js';
import { RenditionResults } from '../../src/media/renditions/worker/rendition-results.js';
import { IMAGE_FACTS, aMediaFile } from './media-files.js';

export const JPEG: RenditionSpec = {
  kind: 'image',
  formats: ['jpeg'],
  maxBytes: 5_000_000,
  maxWidth: 1440,
  maxHeight: 1440,
  maxPixels: null,
  ratio: null,
};

/** The part of a worker that makes renditions. */
export class RenditionWorker {
  readonly metrics = new Metrics();
  readonly claims: RenditionClaims;
  private readonly processes = new MediaProcesses({ processes: 1 });
  private readonly worker: MakeDueRenditions;

  constructor(database: Database, storage: ObjectStorage) {
    this.claims = new RenditionClaims(database);
    const objects = new MediaObjects(database, storage);
    const results = new RenditionResults(database, storage, objects);
    const metrics = new RenditionMetrics(this.metrics, this.claims);
    const maker = new RenditionMaker(this.processes, storage, recordingInspections(database, objects));
    this.worker = new MakeDueRenditions(this.claims, maker, results, metrics, { processes: 1 });
  }

  start(): void {
    this.worker.onApplicationBootstrap();
  }

  async stop(): Promise<void> {
    await this.worker.beforeApplicationShutdown();
    await this.processes.onApplicationShutdown();
  }
}

/** A bus of commands with the one that workers send. */
export function recordingInspections(database: Database, objects: MediaObjects): CommandBus {
  const handler = new RecordInspectionHandler(database, new MediaLog(new EventStore(database)), objects);
  const commands = { execute: (command: RecordInspection) => handler.execute(command) };
  return commands as unknown as CommandBus;
}

interface FileToStore {
  readonly bytes: Buffer;
  readonly kind?: 'image' | 'video';
}

/** A file that is ready, with its object. */
export async function aStoredFile(
  database: Database,
  storage: ObjectStorage,
  brandId: string,
  { bytes, kind = 'image' }: FileToStore,
): Promise<{ id: string; key: string }> {
  const { id, key } = await aMediaFile(database, brandId, {
    bytes: bytes.length,
    facts: { ...IMAGE_FACTS, kind },
  });
  const sha256 = createHash('sha256').update(bytes).digest('hex');
  const object = { length: bytes.length, sha256, contentType: 'application/octet-stream' };
  const etag = await storage.put(key, { ...object, body: Readable.from([bytes]) });
  await database.query('UPDATE media.file SET etag = $2 WHERE id = $1', [id, etag]);
  return { id, key };
}

export const prepareRendition = (
  database: Database,
  mediaId: string,
  spec: RenditionSpec = JPEG,
): Promise<void> =>
  new PrepareRenditionsHandler(database).execute(new PrepareRenditions({ files: [{ mediaId, spec }] }));

export const renditionsOf = (database: Database, mediaId: string): Promise<RenditionRow[]> =>
  renditionsOfFile(database, mediaId);

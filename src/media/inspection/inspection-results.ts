import { randomUUIDv7 } from 'node:crypto';
import { extname, join } from 'node:path';
import { Injectable } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { ObjectStorage } from '#libs/object-storage';
import { type InspectionOutcome, RecordInspection } from '../commands/record-inspection.js';
import { MediaObjects } from '../media-objects.store.js';
import type { DerivedFile, InspectionResult } from './domain/inspection.types.js';
import type { ClaimedInspection } from './inspection-claims.store.js';

interface DerivedKeys {
  readonly thumbnailKey: string | null;
  readonly previewKey: string | null;
}

/** Stores thumbnail and preview, and records the outcome. */
@Injectable()
export class InspectionResults {
  constructor(
    private readonly commands: CommandBus,
    private readonly storage: ObjectStorage,
    private readonly objects: MediaObjects,
  ) {}

  /**
   * Each attempt has objects of its own, announced before they are stored: what a killed worker stored is removed by the sweep.
   * @param folder of the derived pictures
   * @returns false without any effect when the file was deleted or has an outcome already
   */
  async record(file: ClaimedInspection, result: InspectionResult, folder: string): Promise<boolean> {
    if (result.kind === 'rejected') return this.execute(file, result);
    const keys = keysOf(file, result);
    const stored = Object.values(keys).filter((key): key is string => key !== null);
    try {
      await this.store(keys.thumbnailKey, result.thumbnail, folder);
      await this.store(keys.previewKey, result.preview, folder);
      const { kind, contentType, facts, aiMark } = result;
      const isRecorded = await this.execute(file, { kind, contentType, facts, aiMark, ...keys });
      if (!isRecorded) await this.discard(stored);
      return isRecorded;
    } catch (error) {
      await this.discard(stored);
      throw error;
    }
  }

  private execute({ id: mediaId, etag }: ClaimedInspection, outcome: InspectionOutcome): Promise<boolean> {
    return this.commands.execute(new RecordInspection({ mediaId, etag, outcome }));
  }

  private async store(key: string | null, file: DerivedFile | null, folder: string): Promise<void> {
    if (key === null || file === null) return;
    await this.objects.announce(key);
    await this.storage.putFile(key, join(folder, file.name), file.contentType);
  }

  /** Does nothing to objects that are not announced or have an owner. */
  private async discard(keys: readonly string[]): Promise<void> {
    for (const key of keys) await this.objects.discard(key);
  }
}

/** The pictures of a poster belong to its video, see media.show_poster(). */
function keysOf(
  { id, posterOf }: ClaimedInspection,
  { thumbnail, preview }: Extract<InspectionResult, { kind: 'accepted' }>,
): DerivedKeys {
  const attempt = randomUUIDv7();
  const key = (name: string, file: DerivedFile | null) =>
    file && `media/${posterOf ?? id}/${name}-${attempt}${extname(file.name)}`;
  return { thumbnailKey: key('thumbnail', thumbnail), previewKey: key('preview', preview) };
}

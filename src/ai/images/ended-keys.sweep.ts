import { Injectable } from '@nestjs/common';
import { PeriodicSweep } from '#libs/due-work';
import { KeyedImagesStore } from './keyed-images.store.js';

const EVERY_MS = 600_000;
const BATCH = 1_000;

/** Deletes the keys of pictures after a day, when neither the gateway nor this service knows them. Several replicas share the rows. */
@Injectable()
export class EndedKeysSweep extends PeriodicSweep {
  constructor(private readonly store: KeyedImagesStore) {
    super(EVERY_MS);
  }

  async sweep(): Promise<void> {
    await this.inBatches(BATCH, async () => {
      const { deleted, lost } = await this.store.purge(BATCH);
      if (lost > 0)
        this.logger.error(`${lost} pictures could not be stored within a day. They may be paid for.`);
      return deleted;
    });
  }
}
